package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import java.util.Optional;

/**
 * Input of one reducer: the segments of all map tasks of a shuffle. They come in the order of the map tasks, so that
 * results do not depend on timing. While the task reads a segment, later ones may be prefetched. Owned by the thread of
 * the reading task.
 */
public interface ShuffleInput extends AutoCloseable {
    /**
     * Returns the next segment that has pairs; empty after the last one. The caller must have read the previous segment
     * to its end.
     */
    Optional<ShuffleSegment> next() throws FetchFailedException;

    /**
     * Returns the fetch failure to report when the segment that {@link #next} returned last turns out to be corrupt.
     */
    FetchFailedException damaged(CorruptFileException damage);

    /** Ends the input and discards the segments that were prefetched but not read. */
    @Override
    void close();
}
