package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.serializer.RecordInput;

/** Goes over the frames of one part. Owned by one thread. */
public interface SegmentInput extends AutoCloseable {
    /**
     * Sets {@code in} on the next frame, which was checked before; false when there is none. The array is this input's, and is
     * written over by the next call.
     */
    boolean next(RecordInput in) throws CorruptFileException;

    @Override
    void close();
}
