package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;

/**
 * Input file: its name, the length in bytes that it had when it was found, and the size of the blocks in which its
 * store keeps it, or 0 if it has none. The name is the absolute path of a local file, or a URI. Immutable.
 */
public record InputFile(String path, long length, long blockBytes) {
    public InputFile(String path, long length) {
        this(path, length, 0);
    }

    FileCodec codec() {
        return FileCodec.of(path);
    }

    /** The split that consists of the whole file. */
    public FileSplit whole() {
        return new FileSplit(path, 0, length);
    }
}
