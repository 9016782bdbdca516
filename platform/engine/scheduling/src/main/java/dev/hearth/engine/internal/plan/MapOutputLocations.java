package dev.hearth.engine.internal.plan;

import java.util.Optional;

/**
 * Live view of the map output locations of one shuffle. Each change starts a new epoch. Epochs are greater than 0 and
 * never repeat, even if the shuffle is dropped and created again. So the epoch last sent to an executor identifies the
 * locations that this executor has. Used on the driver's event loop only.
 */
public interface MapOutputLocations {
    int shuffle();

    int maps();

    long epoch();

    /** The location of the output of a map task. Empty if no output is registered. */
    Optional<MapOutputLocation> holder(int map);

    /**
     * The map tasks whose locations changed after an epoch, in order. Empty optional if those changes are no longer
     * recorded.
     */
    Optional<int[]> changedSince(long epoch);
}
