package dev.hearth.engine.internal.storage;

/**
 * The file of a cached block is corrupt or unreadable; the message names it. The block was dropped, and the
 * next task attempt recomputes it.
 */
public final class CorruptBlockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptBlockException(String message, Throwable cause) {
        super(message, cause);
    }
}
