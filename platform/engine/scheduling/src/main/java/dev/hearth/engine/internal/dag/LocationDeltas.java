package dev.hearth.engine.internal.dag;

import java.util.Arrays;
import java.util.Optional;

/**
 * Change log of the map output locations of one shuffle, so that executors receive differences in place of full tables.
 * Recording starts at the first read of the locations. Keeps at most 64 changes or a quarter as many as there are map
 * tasks, and then drops the oldest. Takes four bytes per change. Owned by its {@link ShuffleStatus}.
 */
final class LocationDeltas {
    private static final int CHANGES_MIN = 64; // bound on the changes of the smallest shuffles
    private static final int MAPS_PER_CHANGE = 4; // with more changes a full table is hardly longer

    private final int changesMax;
    private long from; // the epoch before the first recorded change
    private long epoch;
    private int[] maps = new int[0]; // map tasks that changed after epoch `from`; may repeat
    private boolean recording;

    /** All epochs that this log assigns are greater than {@code before}. */
    LocationDeltas(int partitions, long before) {
        this.changesMax = Math.max(CHANGES_MIN, partitions / MAPS_PER_CHANGE);
        this.epoch = before + 1;
        this.from = epoch;
    }

    long epoch() {
        return epoch;
    }

    /** Starts to record changes: the current locations are about to be sent. */
    void startRecording() {
        recording = true;
    }

    void add(int map) {
        int known = Math.toIntExact(epoch - from);
        epoch++;
        if (!recording) {
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

    /** The map tasks that changed after an epoch, in order; empty if the changes are no longer recorded. */
    Optional<int[]> since(long known) {
        if (known < from || known > epoch) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(maps, (int) (known - from), (int) (epoch - from))
                .sorted()
                .distinct()
                .toArray());
    }
}
