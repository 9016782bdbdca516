package dev.hearth.engine.internal.serializer;

/** A corrupt record: bytes that no writer produces. The exception names no file or peer; the caller adds that. */
public final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        super(message);
    }
}
