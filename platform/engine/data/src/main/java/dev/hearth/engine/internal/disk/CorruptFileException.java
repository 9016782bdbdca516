package dev.hearth.engine.internal.disk;

/** A file of ours that is gone, cut short or not as it was written; the message names it, the place, and which of these. */
public final class CorruptFileException extends Exception {
    private static final long serialVersionUID = 1L;

    public CorruptFileException(String message) {
        super(message);
    }

    public CorruptFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
