package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.record.RecordFormat;

/**
 * What one map task has for one reader: columns of values that cannot change, bytes in memory, or a part of a segment on disk.
 * Content never changes; where it lies may, for what is in memory is moved to disk when room is needed. Any thread may read.
 */
public interface PairBlock {
    int records();

    /** What it takes, in memory or on disk. */
    long bytes();

    /** Whether it lies in memory now. */
    boolean inMemory();

    /** Hands all pairs to {@code receiver}, in the order they were written; {@code reader} makes objects of bytes. */
    void send(PairReceiver receiver, RecordFormat.Reader reader) throws DamagedSegment;
}
