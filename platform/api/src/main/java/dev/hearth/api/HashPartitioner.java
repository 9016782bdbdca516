package dev.hearth.api;

import org.jspecify.annotations.Nullable;

/** Spreads keys evenly by their hash codes, whatever these are like. The null key is the first partition's. */
public final class HashPartitioner implements Partitioner {
    private static final long serialVersionUID = 1L;
    private static final int SPREAD = 0x9E3779B9; // multiples of the number of partitions are common among hash codes

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

    /** The hash code of a key, made of names where there are enums in it: theirs are others in every process. */
    public static int hash(Object key) {
        return StableHash.of(key);
    }

    /** The partition of a key with that hash code. */
    public static int ofHash(int hashCode, int partitions) {
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
        return partitions + " partitions by hash code";
    }
}
