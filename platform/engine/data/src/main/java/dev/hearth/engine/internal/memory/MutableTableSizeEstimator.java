package dev.hearth.engine.internal.memory;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what the records of a table take, which are changed in place, such as groups that grow. At intervals that grow by
 * a tenth some of its records are sized, chosen at random; from one to the next it is supposed to grow as it did before.
 * Owned by the table's thread.
 */
public final class MutableTableSizeEstimator {
    /** The records that are sized at a time, and the places that are looked at to find them. */
    private static final int RECORDS_MAX = 64;

    private static final int PROBES_MAX = 1024;
    private static final int INTERVAL_PART = 10;
    private static final int INTERVAL_MIN = 32;

    /** A table with places, some of which are empty. */
    public interface Table {
        int places();

        /** How many records there are. */
        int records();

        boolean isEmpty(int place);

        @Nullable
        Object key(int place);

        @Nullable
        Object value(int place);
    }

    private final ObjectSizeEstimator sizes;
    private final Table table;
    private final SplittableRandom random;
    private long updates;
    private long next = 1;
    private long sampled; // the updates by the last sample
    private double bytes; // by then
    private double perUpdate; // since the one before

    public MutableTableSizeEstimator(ObjectSizeEstimator sizes, Table table, long seed) {
        this.sizes = sizes;
        this.table = table;
        this.random = new SplittableRandom(seed);
    }

    /** A record was added or changed. */
    public void updated() {
        updated(1);
    }

    /** So many records were added or changed. */
    public void updated(long records) {
        updates += records;
        if (updates >= next) {
            sample();
        }
    }

    private void sample() {
        int places = table.places();
        boolean all = places <= RECORDS_MAX;
        ObjectGraphWalk walk = sizes.walk();
        double found = 0;
        int count = 0;
        for (int probe = 0; probe < Math.min(places, PROBES_MAX) && count < RECORDS_MAX; probe++) {
            int place = all ? probe : random.nextInt(places);
            if (!table.isEmpty(place)) {
                found += walk.add(table.key(place)) + walk.add(table.value(place));
                count++;
            }
        }
        if (count > 0) {
            double now = found / count * table.records();
            perUpdate = Math.max(0, (now - bytes) / (updates - sampled));
            bytes = now;
            sampled = updates;
        }
        next = updates + INTERVAL_MIN + updates / INTERVAL_PART;
    }

    /** What the records take together, the table's own arrays aside. */
    public long estimate() {
        return Math.round(bytes + perUpdate * (updates - sampled));
    }

    /** Begins again: the table was emptied. */
    public void clear() {
        updates = 0;
        next = 1;
        sampled = 0;
        bytes = 0;
        perUpdate = 0;
    }
}
