package dev.hearth.api;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is read where it is opened: {@link HearthContext#binaryStreams} makes them, tasks open them. Immutable. */
public record BinaryFile(String path, long length) implements Serializable {
    /** The bytes as they lie on disk. Whoever opens it closes it. */
    public InputStream open() throws IOException {
        return new BufferedInputStream(Files.newInputStream(Path.of(path)));
    }

    /** All bytes at once, of a file that is small enough for it. */
    public byte[] bytes() throws IOException {
        return Files.readAllBytes(Path.of(path));
    }
}
