package dev.hearth.engine.internal.compress;

/** A block that no compressor wrote. Whoever knows where it came from says so. */
public final class CorruptCompressedBlockException extends Exception {
    private static final long serialVersionUID = 1L;

    CorruptCompressedBlockException(String message) {
        super(message);
    }

    CorruptCompressedBlockException(String message, Throwable cause) {
        super(message, cause);
    }
}
