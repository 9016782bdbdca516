package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.serializer.RecordInput;

/** Reads one segment of a temporary file, frame by frame. A frame is a group of whole records. Owned by one thread. */
public interface SegmentInput extends AutoCloseable {
    /**
     * Reads the next frame, verifies its checksums, and makes {@code in} read the frame's bytes. Returns false if there
     * is no further frame. The array of {@code in} belongs to this input, and the next call overwrites it.
     */
    boolean next(RecordInput in) throws CorruptFileException;

    @Override
    void close();
}
