package dev.hearth.api;

import org.jspecify.annotations.Nullable;

/**
 * Distributes keys evenly over {@code n} partitions by their hash codes. A key with a hash code {@code k} is in
 * partition {@code k mod n} if {@code -n <= k < 2n}, as in Spark. The bits of other hash codes are mixed, so that keys
 * which are multiples of {@code n} do not all share one partition. The null key is in partition 0. Immutable.
 * <pre>{@code Partitioner ten = new HashPartitioner(10);}</pre>
 */
public final class HashPartitioner implements Partitioner {
    private static final long serialVersionUID = 1L;
    private static final int SPREAD = 0x9E3779B9; // mixes hash codes: many are multiples of the partition count

    private final int partitions;

    public HashPartitioner(int partitions) {
        if (partitions < 1) {
            throw new HearthException(
                    "BAD_ARGUMENT", "partitioner: " + partitions + " partitions (expected: 1 or more)");
        }
        this.partitions = partitions;
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public int partition(@Nullable Object key) {
        return key == null ? 0 : ofHash(hash(key), partitions);
    }

    /** The hash code of a key. Enums are hashed by name, because their own hash codes differ between processes. */
    public static int hash(Object key) {
        return StableHash.of(key);
    }

    /**
     * The partition of a key with hash code {@code hashCode}. If the hash code is at least {@code -partitions} and
     * below {@code 2 * partitions}, it is the code modulo {@code partitions}. The bits of other codes are mixed first.
     */
    public static int ofHash(int hashCode, int partitions) {
        if (hashCode >= 0 ? hashCode - partitions < partitions : hashCode >= -partitions) {
            return hashCode < 0 ? hashCode + partitions : hashCode < partitions ? hashCode : hashCode - partitions;
        }
        int spread = hashCode * SPREAD;
        return (int) ((Integer.toUnsignedLong(spread ^ (spread >>> 16)) * partitions) >>> 32);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HashPartitioner hash && hash.partitions == partitions;
    }

    @Override
    public int hashCode() {
        return partitions;
    }

    @Override
    public String toString() {
        return partitions + (partitions == 1 ? " partition" : " partitions") + " by hash code";
    }
}
