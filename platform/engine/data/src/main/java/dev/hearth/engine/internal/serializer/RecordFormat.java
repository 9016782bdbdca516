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

    /** A reader for one thread, for records of any process of this application. */
    Reader reader();

    /** A reader for one thread, for records whose class numbers index {@code names}: see {@link #names}. */
    Reader reader(List<String> names);

    /**
     * The class names and fingerprints of the class numbers that this process has used so far, by number; empty
     * strings for numbers that only other processes use. The list only grows. Stored with records that other
     * applications will read.
     */
    List<String> names();

    /**
     * Writes records. Fails with {@code NOT_SERIALIZABLE} for objects that are not serialisable; the output is then
     * unchanged.
     */
    interface Writer {
        void write(@Nullable Object record, RecordOutput out);

        /** Creates an output of an initial capacity, with the format's bound on record size. */
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
