package dev.hearth.engine.internal.memory;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the heap size of a table whose records are updated in place, for example growing groups. It samples random
 * records at intervals that grow by a tenth, and extrapolates linearly between samples, as Spark's SizeTracker does.
 * Owned by the table's thread.
 */
public final class MutableTableSizeEstimator {
    /**
     * Upper bound on the records that one sample measures. {@link #PROBES_MAX} bounds the slots in which a sample looks
     * for these records.
     */
    private static final int RECORDS_MAX = 64;

    private static final int PROBES_MAX = 1024;
    private static final int INTERVAL_PART = 10;
    private static final int INTERVAL_MIN = 32;

    /**
     * Table whose size is estimated. It consists of slots, each of which has one record (a key and its value) or is
     * empty.
     */
    public interface Table {
        int slots();

        int records();

        boolean isEmpty(int slot);

        @Nullable
        Object key(int slot);

        @Nullable
        Object value(int slot);
    }

    private final ObjectSizeEstimator sizes;
    private final Table table;
    private final SplittableRandom random;
    private long updates;
    private long next = 1;
    private long sampled; // number of updates up to the last sample
    private double bytes; // estimated size at the last sample
    private double perUpdate; // growth per update between the last two samples

    public MutableTableSizeEstimator(ObjectSizeEstimator sizes, Table table, long seed) {
        this.sizes = sizes;
        this.table = table;
        this.random = new SplittableRandom(seed);
    }

    /** Notes that one record was added or updated, and takes a sample if one is due. */
    public void updated() {
        updated(1);
    }

    /** Notes that {@code records} records were added or updated, and takes a sample of the table if one is due. */
    public void updated(long records) {
        updates += records;
        if (updates >= next) {
            sample();
        }
    }

    private void sample() {
        int slots = table.slots();
        boolean small = slots <= RECORDS_MAX;
        ObjectGraphWalk walk = sizes.walk();
        double sampledBytes = 0;
        int count = 0;
        for (int probe = 0; probe < Math.min(slots, PROBES_MAX) && count < RECORDS_MAX; probe++) {
            int slot = small ? probe : random.nextInt(slots);
            if (!table.isEmpty(slot)) {
                sampledBytes += walk.add(table.key(slot)) + walk.add(table.value(slot));
                count++;
            }
        }
        if (count > 0) {
            double estimated = sampledBytes / count * table.records();
            perUpdate = Math.max(0, (estimated - bytes) / (updates - sampled));
            bytes = estimated;
            sampled = updates;
        }
        next = updates + INTERVAL_MIN + updates / INTERVAL_PART;
    }

    /** Estimated size in bytes of all records, without the arrays of the table itself. */
    public long estimate() {
        return Math.round(bytes + perUpdate * (updates - sampled));
    }

    /** Resets this estimator after the table was emptied: the estimate is then 0. */
    public void clear() {
        updates = 0;
        next = 1;
        sampled = 0;
        bytes = 0;
        perUpdate = 0;
    }
}
