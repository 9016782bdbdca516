package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.serializer.RecordInput;

/** Reads the frames of one segment. Owned by one thread. */
public interface SegmentInput extends AutoCloseable {
    /**
     * Positions {@code in} on the next frame, which was verified; returns false if there is none. The array
     * belongs to this input and is overwritten by the next call.
     */
    boolean next(RecordInput in) throws CorruptFileException;

    @Override
    void close();
}
