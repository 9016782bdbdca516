package dev.hearth.api;

import dev.hearth.api.launch.TaskRuntime;
import java.nio.file.Path;

/** Where tasks find what {@link HearthContext#addFile} and {@link HearthContext#addArchive} attached. No state of its own. */
public final class HearthFiles {
    private HearthFiles() {}

    /**
     * The copy of an attached file, a directory, or an unpacked archive on the host of the calling task; shared by all tasks
     * there. Refused with {@code PATH_MISSING} for names that nobody attached, and with {@code WRONG_THREAD} outside of tasks.
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
                    "HearthFiles.path: called outside of a task (expected: inside one); on the driver it is"
                            + " HearthContext.attached");
        }
        return task.attached(name);
    }
}
