package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.spi.shuffle.FileSegment;
import java.util.Optional;

/**
 * Segment of one map output: the pairs of one map task for one reducer. They are columns of immutable values, bytes in
 * memory, or a segment of a file. The pairs never change, but move from memory to a file when the map output is
 * evicted. Any thread may read.
 */
public interface ShuffleSegment {
    int records();

    /** Size of this segment in bytes, in memory and on disk together. */
    long bytes();

    /** Whether this segment is in memory now. */
    boolean inMemory();

    /**
     * Returns the location of this segment in a file. Empty if this segment has no pairs, or if not all of its pairs
     * are in one segment of one file.
     */
    default Optional<FileSegment> fileSegment() {
        return Optional.empty();
    }

    /** Opens a cursor over the pairs, in the order in which they were written; {@code reader} deserialises them. */
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

    /**
     * Cursor over the pairs of one segment. Owned by one thread; it continues undisturbed if the map output is
     * evicted meanwhile.
     */
    interface Cursor extends AutoCloseable {
        /** Passes the next pairs to {@code receiver}; returns false if there are none left. */
        boolean send(PairConsumer receiver) throws CorruptFileException;

        @Override
        void close();
    }
}
