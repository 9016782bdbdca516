package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;

/** Input file: its absolute path, and the length in bytes that it had when it was found. Immutable. */
public record InputFile(String path, long length) {
    FileCodec codec() {
        return FileCodec.of(path);
    }

    /** The split that consists of the whole file. */
    public FileSplit whole() {
        return new FileSplit(path, 0, length);
    }
}
