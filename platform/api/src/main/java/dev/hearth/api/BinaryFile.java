package dev.hearth.api;

import dev.hearth.api.launch.TaskRuntime;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The path and length of a file that a task opens itself; an element of {@link HearthContext#binaryStreams}. The path
 * of a file that is not local is a URI. Immutable.
 */
public record BinaryFile(String path, long length) implements Serializable {
    /**
     * Opens the file, without decompression. The caller closes the stream. A file that is not local can be opened in
     * tasks only; elsewhere the call throws {@code WRONG_THREAD}.
     */
    public InputStream open() throws IOException {
        return new BufferedInputStream(plain());
    }

    /** Reads the whole file into memory and returns its bytes. For its place of use see {@link #open}. */
    public byte[] bytes() throws IOException {
        try (InputStream in = plain()) {
            return in.readAllBytes();
        }
    }

    private InputStream plain() throws IOException {
        if (path.startsWith("/")) {
            return Files.newInputStream(Path.of(path));
        }
        TaskRuntime task = TaskRuntime.current();
        if (task == null) {
            throw new HearthException(
                    "WRONG_THREAD",
                    "file " + path + ": opened outside of a task (expected: inside one, as it is not a local file)");
        }
        return task.open(path);
    }
}
