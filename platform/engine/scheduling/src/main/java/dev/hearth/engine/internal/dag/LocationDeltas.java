package dev.hearth.engine.internal.dag;

import java.util.Arrays;
import java.util.Optional;

/**
 * Which map tasks' outputs changed their places lately, from when the places were asked for first, and how often they did in all.
 * Four bytes for each change, of a quarter as many as there are map tasks at most. Owned by its {@link ShuffleStatus}.
 */
final class LocationDeltas {
    private static final int CHANGES_MIN = 64; // are remembered of any shuffle
    private static final int MAPS_PER_CHANGE = 4; // with more changes, to tell all is hardly longer

    private final int changesMax;
    private long from; // the epoch before the first change that is remembered
    private long epoch;
    private int[] maps = new int[0]; // that changed since then, some more than once
    private boolean watched;

    /** Epochs are greater than {@code before}. */
    LocationDeltas(int partitions, long before) {
        this.changesMax = Math.max(CHANGES_MIN, partitions / MAPS_PER_CHANGE);
        this.epoch = before + 1;
        this.from = epoch;
    }

    long epoch() {
        return epoch;
    }

    /** Somebody is told what is so now. */
    void watch() {
        watched = true;
    }

    void add(int map) {
        int known = Math.toIntExact(epoch - from);
        epoch++;
        if (!watched) {
            from = epoch;
            return;
        }
        if (known == changesMax) {
            int dropped = known / 2;
            System.arraycopy(maps, dropped, maps, 0, known - dropped);
            from += dropped;
            known -= dropped;
        }
        if (known == maps.length) {
            maps = Arrays.copyOf(maps, Math.min(changesMax, Math.max(CHANGES_MIN, 2 * known)));
        }
        maps[known] = map;
    }

    /** Those that changed after an epoch, in order; empty when it is not known any more which those are. */
    Optional<int[]> since(long told) {
        if (told < from || told > epoch) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(maps, (int) (told - from), (int) (epoch - from))
                .sorted()
                .distinct()
                .toArray());
    }
}
