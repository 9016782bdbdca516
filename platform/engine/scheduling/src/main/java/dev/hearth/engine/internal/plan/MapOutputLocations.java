package dev.hearth.engine.internal.plan;

import java.util.Optional;

/**
 * Where the outputs of one shuffle lie now. Asked on the driver's loop alone. Each change begins an epoch; an epoch is more than any
 * before it, of this shuffle and of others, and more than 0, so that it says all that somebody knows who was told the places.
 */
public interface MapOutputLocations {
    int shuffle();

    int maps();

    long epoch();

    /** Who has the output of a map task, if anybody. */
    Optional<MapOutputLocation> holder(int map);

    /** The map tasks whose places changed after an epoch, in order; empty when it is not known any more which those are. */
    Optional<int[]> changedSince(long told);
}
