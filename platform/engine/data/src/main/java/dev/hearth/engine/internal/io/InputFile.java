package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;

/** A file that was found, by its absolute path, with its length in bytes when it was looked for. Immutable. */
public record InputFile(String path, long length) {
    FileCodec codec() {
        return FileCodec.of(path);
    }

    /** The part that is all of it. */
    public FileSplit whole() {
        return new FileSplit(path, 0, length);
    }
}
