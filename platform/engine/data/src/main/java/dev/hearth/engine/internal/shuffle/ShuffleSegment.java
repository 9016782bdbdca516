package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.Optional;

/**
 * Segment of one map output: the pairs of one map task for one reducer, as columns of immutable values, as
 * bytes in memory, or as a segment of a file. The content never changes; its location does when it is evicted
 * to disk. Any thread may read.
 */
public interface ShuffleSegment {
    int records();

    /** Its size in memory or on disk. */
    long bytes();

    /** Whether it is in memory now. */
    boolean inMemory();

    /** Its location if all of it is one segment of a file; empty otherwise, and if it has no pairs. */
    default Optional<FileSegment> fileSegment() {
        return Optional.empty();
    }

    /** Opens a cursor over its pairs, in the order they were written; {@code reader} deserialises them. */
    Cursor open(RecordFormat.Reader reader);

    /** Passes all pairs to {@code receiver}. */
    default void send(PairConsumer receiver, RecordFormat.Reader reader) throws CorruptFileException {
        try (Cursor cursor = open(reader)) {
            boolean more = true;
            while (more) {
                more = cursor.send(receiver);
            }
        }
    }

    /** Cursor over the pairs of one segment. Owned by one thread; an eviction meanwhile does not disturb it. */
    interface Cursor extends AutoCloseable {
        /** Passes the next pairs on; returns false if there are none left. */
        boolean send(PairConsumer receiver) throws CorruptFileException;

        @Override
        void close();
    }
}
