package dev.hearth.engine.internal.storage;

/** The file of a kept block cannot be read; the message names it. The block was dropped: another attempt computes it anew. */
public final class CorruptBlockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptBlockException(String message, Throwable cause) {
        super(message, cause);
    }
}
