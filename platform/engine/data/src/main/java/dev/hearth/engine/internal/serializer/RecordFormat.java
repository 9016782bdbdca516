package dev.hearth.engine.internal.serializer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serialisation format of one application's records. Each record is self-contained: it is read without the records
 * before it, so serialised records can be sorted, split and merged. A deserialised copy shares no mutable state with
 * the original; within one record, object identity is preserved. Classes must pass the application's filter. Lives as
 * long as the application.
 */
public interface RecordFormat {
    /** Creates a writer for one thread; each task has its own. */
    Writer writer();

    /** Creates a reader for one thread. It reads records of any process of this application. */
    Reader reader();

    /**
     * Creates a reader for one thread. It reads records of another application; {@code names} is the list that {@link
     * #names} returned in that application.
     */
    Reader reader(List<String> names);

    /**
     * Returns the class name and fingerprint for each class number that this process has used so far. Numbers that only
     * other processes use have an empty string. The list only grows. It is stored with records that other applications
     * will read, because those applications have other class numbers.
     */
    List<String> names();

    /**
     * Writes records. Fails with {@code NOT_SERIALIZABLE} for objects that are not serialisable; the output is then
     * unchanged.
     */
    interface Writer {
        void write(@Nullable Object record, RecordOutput out);

        /**
         * Creates a buffer for serialised records, with {@code capacity} bytes at first. It grows up to the format's
         * upper bound on the size of a record.
         */
        default RecordOutput output(int capacity) {
            return new RecordOutput(capacity);
        }
    }

    /** Reads records. */
    interface Reader {
        @Nullable
        Object read(RecordInput in);

        /** Skips a record; deserialises it only if its length cannot be determined otherwise. */
        default void skip(RecordInput in) {
            read(in);
        }
    }
}
