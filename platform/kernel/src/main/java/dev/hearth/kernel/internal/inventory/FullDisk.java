package dev.hearth.kernel.internal.inventory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Recognises failures of a full disk, which the framework reports as something else. Stateless. */
public final class FullDisk {
    private static final String NO_SPACE = "No space left on device";
    private static final String NO_QUOTA = "Disk quota exceeded";
    private static final int CAUSES_MAX = 16;
    /** A disk with less space than this, one block, counts as full. */
    private static final long BLOCK_BYTES = 4096;

    private FullDisk() {}

    /**
     * Returns an error text that replaces {@code failure} if the disk of {@code directory} is full; empty if it is not.
     * The text names the temporary directory of this process if {@code directory} is below it.
     */
    public static Optional<String> problem(Path directory, Throwable failure) {
        return reason(directory, failure)
                .map(reason -> "temporary directory " + named(directory) + ": " + reason
                        + " (expected: room for the files of this process); make room, or set -Djava.io.tmpdir");
    }

    /**
     * Returns the directory to name in errors: the temporary directory of the process, which the user has chosen, if it
     * contains {@code directory}. The process removes its own directory below it, so that path would not help the user.
     */
    private static Path named(Path directory) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        return directory.startsWith(temporary) ? temporary : directory;
    }

    /** Whether the disk that contains {@code directory}, or would contain it, has no free space now. */
    public static boolean isFull(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            return Files.getFileStore(existing).getUsableSpace() < BLOCK_BYTES;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static Optional<String> reason(Path directory, Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            String message = String.valueOf(cause.getMessage());
            for (String known : new String[] {NO_SPACE, NO_QUOTA}) {
                if (cause instanceof IOException && message.endsWith(known)) {
                    return Optional.of(known);
                }
            }
            cause = cause.getCause();
        }
        return isFull(directory) ? Optional.of(NO_SPACE) : Optional.empty();
    }
}
