package dev.hearth.engine.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Estimates the heap size of records that are appended to a collection and never changed there. It measures every
 * record at first, and later ones at growing intervals; each sample stands for the records since the previous one.
 * Objects that a record shares with the previously measured one count once. Owned by one thread. For records that are
 * updated in place see {@link MutableTableSizeEstimator}.
 */
public final class AppendOnlySizeEstimator {
    // the interval grows by 1/64 of the records so far: 765 samples in ten million
    private static final int INTERVAL_PART = 64;

    private final ObjectSizeEstimator sizes;
    private long added;
    private long next = 1; // ordinal of the record to measure next
    private long sized; // ordinal of the last measured record
    private double bytes; // of all records up to the last measured one
    private double each; // size of the last measured record
    private @Nullable Object latestKey;
    private @Nullable Object latestValue;

    public AppendOnlySizeEstimator(ObjectSizeEstimator sizes) {
        this.sizes = sizes;
    }

    /** Records that a record was appended. */
    public void added(@Nullable Object record) {
        if (++added >= next) {
            sample(record, null);
        }
    }

    /** Records that a pair was appended. */
    public void added(@Nullable Object key, @Nullable Object value) {
        if (++added >= next) {
            sample(key, value);
        }
    }

    private void sample(@Nullable Object key, @Nullable Object value) {
        ObjectGraphWalk walk = sizes.walk();
        walk.add(latestKey);
        walk.add(latestValue);
        each = walk.add(key) + walk.add(value);
        bytes += each * (added - sized);
        latestKey = key;
        latestValue = value;
        sized = added;
        next = added + 1 + added / INTERVAL_PART;
    }

    /** Estimated bytes of all records, without the collection's own arrays and nodes. */
    public long estimate() {
        return Math.round(bytes + each * (added - sized));
    }

    public long count() {
        return added;
    }

    /** Resets the estimate after the collection was emptied. */
    public void clear() {
        added = 0;
        next = 1;
        sized = 0;
        bytes = 0;
        each = 0;
        latestKey = null;
        latestValue = null;
    }
}
