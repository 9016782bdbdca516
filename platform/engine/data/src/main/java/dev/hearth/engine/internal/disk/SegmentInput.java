package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.serializer.RecordInput;

/** Reads the frames of one segment. Owned by one thread. */
public interface SegmentInput extends AutoCloseable {
    /**
     * Positions {@code in} on the next frame, after its checksums were verified. Returns false if there is no further
     * frame. The array of {@code in} belongs to this input, and the next call overwrites it.
     */
    boolean next(RecordInput in) throws CorruptFileException;

    @Override
    void close();
}
