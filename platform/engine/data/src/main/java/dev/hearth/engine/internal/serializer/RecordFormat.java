package dev.hearth.engine.internal.serializer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the objects of one application become bytes that stand for themselves: a record is read without those before it, so that
 * bytes may be sorted, cut and merged. What comes out is a copy that shares nothing changeable with what went in; within
 * one record, what was one object is one again. Classes pass the application's gate. Lives and dies with the application.
 */
public interface RecordFormat {
    /** One thread's hand at writing; made for a task and dropped with it. */
    Writer writer();

    /** One thread's hand at reading bytes of this application's own, of whichever process. */
    Reader reader();

    /** One thread's hand at reading bytes that name their classes by {@code names}: see {@link #names}. */
    Reader reader(List<String> names);

    /**
     * What the numbers of classes in bytes of this process stand for, so far, empty for those of other processes alone; only ever
     * grows. Kept beside bytes that other applications will read.
     */
    List<String> names();

    /** Writes records. Refuses with {@code NOT_SERIALIZABLE} what cannot travel; the output is then as it was. */
    interface Writer {
        void write(@Nullable Object record, RecordOutput out);

        /** What records are written to, of so many bytes at first. */
        default RecordOutput output(int capacity) {
            return new RecordOutput(capacity);
        }
    }

    /** Reads records. */
    interface Reader {
        @Nullable
        Object read(RecordInput in);

        /** Moves over a record, without making it where its first bytes tell how long it is. */
        default void skip(RecordInput in) {
            read(in);
        }
    }
}
