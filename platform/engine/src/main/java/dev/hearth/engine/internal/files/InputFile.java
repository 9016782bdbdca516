package dev.hearth.engine.internal.files;

import dev.hearth.engine.internal.codec.FileCodec;

/** A file that was found, by its absolute path, with its length in bytes when it was looked for. Immutable. */
public record InputFile(String path, long length) {
    FileCodec codec() {
        return FileCodec.of(path);
    }

    /** The part that is all of it. */
    public FilePart whole() {
        return new FilePart(path, 0, length);
    }
}
