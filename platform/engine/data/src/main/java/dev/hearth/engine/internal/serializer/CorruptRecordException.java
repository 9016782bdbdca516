package dev.hearth.engine.internal.serializer;

/**
 * Thrown for a corrupt record, whose bytes are not those that a {@link RecordWriter} produces. The message does not
 * name the file or peer from which the record came, so the caller adds it.
 */
public final class CorruptRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptRecordException(String message) {
        super(message);
    }
}
