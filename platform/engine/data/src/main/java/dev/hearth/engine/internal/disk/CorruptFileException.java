package dev.hearth.engine.internal.disk;

/**
 * Thrown if a temporary file is missing, truncated or corrupt. The message names the file, the offset and the reason.
 */
public final class CorruptFileException extends Exception {
    private static final long serialVersionUID = 1L;

    public CorruptFileException(String message) {
        super(message);
    }

    public CorruptFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
