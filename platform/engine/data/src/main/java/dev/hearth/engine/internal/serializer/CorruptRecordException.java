package dev.hearth.engine.internal.serializer;

/** A corrupt record: bytes that no writer produces. It does not know its file or peer; the caller adds them. */
public final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        super(message);
    }
}
