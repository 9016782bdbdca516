package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import java.util.Optional;

/**
 * Input of one reducer: the segments of all map tasks of a shuffle, in the order of the map tasks, so that results do
 * not depend on timing. While the task reads a segment, later ones may be prefetched. Owned by the reading task's
 * thread.
 */
public interface ShuffleInput extends AutoCloseable {
    /**
     * The next segment that has pairs; empty after the last one. The caller finishes a segment before it asks
     * for the next.
     */
    Optional<ShuffleSegment> next() throws FetchFailedException;

    /**
     * The fetch failure to report for the segment that {@link #next} returned last, which turned out to be
     * corrupt.
     */
    FetchFailedException damaged(CorruptFileException damage);

    /** Discards the segments that were fetched but not read. */
    @Override
    void close();
}
