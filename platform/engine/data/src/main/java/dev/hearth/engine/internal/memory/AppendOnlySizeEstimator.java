package dev.hearth.engine.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * Estimates what the records take that were added to a collection and are not changed in it. The first ones are all sized, later
 * ones less and less often; each stands for those since the one before. What a record shares with the one sized before
 * it counts once. Owned by one thread. For records that grow where they are see {@link MutableTableSizeEstimator}.
 */
public final class AppendOnlySizeEstimator {
    private static final int INTERVAL_PART = 64; // one record in 64 of those there are, later on: 765 of ten million

    private final ObjectSizeEstimator sizes;
    private long added;
    private long next = 1; // the record that is sized next
    private long sized; // the last one that was
    private double bytes; // of the records up to that
    private double each; // what that one took
    private @Nullable Object latestKey;
    private @Nullable Object latestValue;

    public AppendOnlySizeEstimator(ObjectSizeEstimator sizes) {
        this.sizes = sizes;
    }

    /** A record was added. */
    public void added(@Nullable Object record) {
        if (++added >= next) {
            sample(record, null);
        }
    }

    /** A pair was added. */
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

    /** What they take together, the collection's own arrays and nodes aside. */
    public long estimate() {
        return Math.round(bytes + each * (added - sized));
    }

    /** How many were added. */
    public long count() {
        return added;
    }

    /** Begins again: the collection was emptied. */
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
