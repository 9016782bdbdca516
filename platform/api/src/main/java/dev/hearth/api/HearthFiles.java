package dev.hearth.api;

import dev.hearth.api.launch.TaskRuntime;
import java.nio.file.Path;

/**
 * Finds, inside tasks, the local paths of files that {@link HearthContext#addFile} or {@link HearthContext#addArchive}
 * has added. Stateless.
 */
public final class HearthFiles {
    private HearthFiles() {}

    /**
     * The local path of an added file, directory or unpacked archive; all tasks on the host share it.
     * Throws {@code PATH_MISSING} for a name that was not added, and {@code WRONG_THREAD} outside of tasks.
     * <pre>{@code
     * context.addFile("/data/stop-words.txt");
     * Rdd<String> kept = lines.mapPartitions(part -> {
     *     Set<String> stopped = new HashSet<>(Files.readAllLines(HearthFiles.path("stop-words.txt")));
     *     List<String> words = new ArrayList<>();
     *     part.forEachRemaining(word -> { if (!stopped.contains(word)) words.add(word); });
     *     return words.iterator();
     * });
     * }</pre>
     */
    public static Path path(String name) {
        TaskRuntime task = TaskRuntime.current();
        if (task == null) {
            throw new HearthException(
                    "WRONG_THREAD",
                    "HearthFiles.path: called outside of a task (expected: inside one); on the driver, call"
                            + " HearthContext.attached");
        }
        return task.attached(name);
    }
}
