package dev.hearth.engine.internal.serializer;

/**
 * A corrupt record: its bytes are not those that a writer produces. The message does not name the file or peer, so the
 * caller adds it.
 */
public final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        super(message);
    }
}
