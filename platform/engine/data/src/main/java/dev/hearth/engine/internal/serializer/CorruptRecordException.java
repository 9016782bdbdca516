package dev.hearth.engine.internal.serializer;

/** Bytes that no writer of ours made. Whoever knows which file or peer they came from says so. */
public final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        super(message);
    }
}
