package dev.hearth.api;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The path and length of a file that a task opens itself; an element of {@link HearthContext#binaryStreams}. Immutable.
 */
public record BinaryFile(String path, long length) implements Serializable {
    /** Opens the file, without decompression. The caller closes the stream. */
    public InputStream open() throws IOException {
        return new BufferedInputStream(Files.newInputStream(Path.of(path)));
    }

    /** Reads the whole file into memory and returns its bytes. */
    public byte[] bytes() throws IOException {
        return Files.readAllBytes(Path.of(path));
    }
}
