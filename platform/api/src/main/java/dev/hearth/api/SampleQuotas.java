package dev.hearth.api;

import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Quotas for an exact sample: {@code sizes} has the number of elements of each partition, {@code take} the number to
 * sample.
 */
@SuppressWarnings("ArrayRecordComponent") // never modified
record SampleQuotas(long[] sizes, long[] take) implements Serializable {
    /**
     * Divides {@code wanted} samples among the partitions at random, with the same distribution as if one sample was
     * drawn from the whole dataset.
     */
    static SampleQuotas draw(SplittableRandom random, List<Long> counts, long wanted, boolean withReplacement) {
        long[] sizes = counts.stream().mapToLong(Long::longValue).toArray();
        long[] take = new long[sizes.length];
        long left = wanted;
        // Number of elements in the current partition and all later partitions.
        long remaining = counts.stream().mapToLong(Long::longValue).sum();
        for (int i = 0; i < sizes.length && left > 0; i++) {
            if (sizes[i] == remaining) {
                take[i] = left;
            } else if (sizes[i] > 0) {
                take[i] = withReplacement
                        ? RandomVariates.binomial(random, left, (double) sizes[i] / remaining)
                        : RandomVariates.hypergeometric(random, remaining, sizes[i], left);
            }
            left -= take[i];
            remaining -= sizes[i];
        }
        return new SampleQuotas(sizes, take);
    }
}
