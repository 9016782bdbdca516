package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;

/** Input file: its absolute path, and its length in bytes when it was found. Immutable. */
public record InputFile(String path, long length) {
    FileCodec codec() {
        return FileCodec.of(path);
    }

    /** The split that is the whole file. */
    public FileSplit whole() {
        return new FileSplit(path, 0, length);
    }
}
