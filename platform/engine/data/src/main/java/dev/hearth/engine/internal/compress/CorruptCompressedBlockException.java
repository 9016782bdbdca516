package dev.hearth.engine.internal.compress;

/**
 * Thrown for a corrupt compressed block. The caller adds the file and the offset, which the decompressor does not know.
 */
public final class CorruptCompressedBlockException extends Exception {
    private static final long serialVersionUID = 1L;

    CorruptCompressedBlockException(String message) {
        super(message);
    }

    CorruptCompressedBlockException(String message, Throwable cause) {
        super(message, cause);
    }
}
