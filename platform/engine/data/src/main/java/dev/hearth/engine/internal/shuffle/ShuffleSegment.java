package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.Optional;

/**
 * What one map task has for one reader: columns of values that cannot change, bytes in memory, or a part of a segment on disk.
 * Content never changes; where it lies may, for what is in memory is moved to disk when room is needed. Any thread may read.
 */
public interface ShuffleSegment {
    int records();

    /** What it takes, in memory or on disk. */
    long bytes();

    /** Whether it lies in memory now. */
    boolean inMemory();

    /** Where it lies in a file as a whole; empty when it does not, or when there is nothing. */
    default Optional<FileSegment> place() {
        return Optional.empty();
    }

    /** Begins to go over its pairs, in the order they were written; {@code reader} makes objects of bytes. */
    Cursor open(RecordFormat.Reader reader);

    /** Hands all pairs to {@code receiver}. */
    default void send(PairConsumer receiver, RecordFormat.Reader reader) throws CorruptFileException {
        try (Cursor cursor = open(reader)) {
            boolean more = true;
            while (more) {
                more = cursor.send(receiver);
            }
        }
    }

    /** The way over one block. Owned by one thread; what was evicted meanwhile is read on from where it lay. */
    interface Cursor extends AutoCloseable {
        /** Hands over some pairs; false when there are none left. */
        boolean send(PairConsumer receiver) throws CorruptFileException;

        @Override
        void close();
    }
}
