package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.CorruptFileException;
import java.util.Optional;

/**
 * What all map tasks of a shuffle have for one reader, in the order of the map tasks, so that results do not depend on how fast
 * anything comes; the next ones are perhaps fetched meanwhile. Owned by the reading task's thread.
 */
public interface ShuffleInput extends AutoCloseable {
    /** The next block; empty behind the last one. A block is read before the next one is asked for. */
    Optional<ShuffleSegment> next() throws FetchFailedException;

    /** What to tell of the block that was given out last, and could not be read. */
    FetchFailedException damaged(CorruptFileException damage);

    /** Gives up what was fetched and not read. */
    @Override
    void close();
}
