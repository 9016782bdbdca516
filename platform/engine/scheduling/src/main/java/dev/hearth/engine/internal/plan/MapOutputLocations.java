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

    /** The location of the output of map task {@code map}. Empty if the task has no registered output. */
    Optional<MapOutputLocation> holder(int map);

    /**
     * The map tasks whose output locations changed after {@code epoch}, in ascending order. Empty optional if those
     * changes are no longer recorded.
     */
    Optional<int[]> changedSince(long epoch);
}
