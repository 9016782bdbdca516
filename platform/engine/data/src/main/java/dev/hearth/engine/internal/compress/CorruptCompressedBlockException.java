package dev.hearth.engine.internal.compress;

/** A corrupt compressed block. It does not know its file and offset; the caller adds them. */
public final class CorruptCompressedBlockException extends Exception {
    private static final long serialVersionUID = 1L;

    CorruptCompressedBlockException(String message) {
        super(message);
    }

    CorruptCompressedBlockException(String message, Throwable cause) {
        super(message, cause);
    }
}
