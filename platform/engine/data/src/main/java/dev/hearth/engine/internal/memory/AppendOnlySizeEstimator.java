package dev.hearth.engine.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Estimates the heap size of records that are appended to a collection and do not change later. Measures every record
 * at first, and later records at growing intervals. A sample stands for all records since the previous sample. Objects
 * that two successive samples share count once. Owned by one thread. For records that are updated in place see
 * {@link MutableTableSizeEstimator}.
 */
public final class AppendOnlySizeEstimator {
    // the interval is 1/64 of the records so far, which gives 765 samples in ten million records
    private static final int INTERVAL_PART = 64;

    private final ObjectSizeEstimator sizes;
    private long added;
    private long next = 1; // ordinal of the record that will be measured next
    private long sized; // ordinal of the record that was measured last
    private double bytes; // estimated size of all records up to the last measured one
    private double each; // size of the record that was measured last
    private @Nullable Object latestKey;
    private @Nullable Object latestValue;

    public AppendOnlySizeEstimator(ObjectSizeEstimator sizes) {
        this.sizes = sizes;
    }

    /** Notes that {@code record} was appended, and measures the record if a sample is due. */
    public void added(@Nullable Object record) {
        if (++added >= next) {
            sample(record, null);
        }
    }

    /** Notes that the pair of {@code key} and {@code value} was appended, and measures the pair if a sample is due. */
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

    /**
     * Estimated size in bytes of all records, without the arrays and nodes of the collection to which they were
     * appended.
     */
    public long estimate() {
        return Math.round(bytes + each * (added - sized));
    }

    public long count() {
        return added;
    }

    /** Resets this estimator after all records were removed from their collection: the estimate is then 0. */
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
