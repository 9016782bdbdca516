package dev.hearth.engine.internal.dag;

import java.util.Arrays;
import java.util.Optional;

/**
 * Change log of the map output locations of one shuffle, so that executors receive differences instead of full tables.
 * Recording starts at the first read of the locations. The log keeps at most 64 changes, or a quarter of the number of
 * map tasks if that is more, and drops the oldest first. It uses four bytes per change. Owned by its
 * {@link ShuffleStatus}.
 */
final class LocationDeltas {
    private static final int CHANGES_MIN = 64; // bound on the recorded changes of small shuffles
    private static final int MAPS_PER_CHANGE = 4; // with more changes, a full table is about as short

    private final int changesMax;
    private long from; // the epoch before the first recorded change
    private long epoch;
    private int[] maps = new int[0]; // map tasks that changed after epoch `from`; may contain repetitions
    private boolean recording;

    /**
     * Creates an empty log for a shuffle with {@code partitions} map outputs. The first epoch of the log is {@code
     * before} + 1.
     */
    LocationDeltas(int partitions, long before) {
        this.changesMax = Math.max(CHANGES_MIN, partitions / MAPS_PER_CHANGE);
        this.epoch = before + 1;
        this.from = epoch;
    }

    long epoch() {
        return epoch;
    }

    /**
     * Starts to record which map outputs change their location. Called when the current locations are about to be sent
     * to an executor.
     */
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

    /**
     * The map tasks whose output locations changed after the epoch {@code known}, in ascending order. Empty optional if
     * those changes are no longer recorded.
     */
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
