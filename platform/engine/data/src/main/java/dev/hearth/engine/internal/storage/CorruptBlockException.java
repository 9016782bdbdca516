package dev.hearth.engine.internal.storage;

/**
 * Thrown if the file of a cached block is corrupt or unreadable; the message names the file. The block was dropped, and
 * the next task attempt recomputes the block.
 */
public final class CorruptBlockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptBlockException(String message, Throwable cause) {
        super(message, cause);
    }
}
