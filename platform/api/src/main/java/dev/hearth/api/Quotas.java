package dev.hearth.api;

import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;

/** How many elements each partition has, and how many of them are to be drawn. */
@SuppressWarnings("ArrayRecordComponent") // never changed by anybody
record Quotas(long[] sizes, long[] take) implements Serializable {
    /** Parts {@code wanted} as drawing from all partitions at once would. */
    static Quotas draw(SplittableRandom random, List<Long> counts, long wanted, boolean withReplacement) {
        long[] sizes = counts.stream().mapToLong(Long::longValue).toArray();
        long[] take = new long[sizes.length];
        long left = wanted;
        long behind = counts.stream().mapToLong(Long::longValue).sum(); // elements of this partition and those after it
        for (int i = 0; i < sizes.length && left > 0; i++) {
            if (sizes[i] == behind) {
                take[i] = left;
            } else if (sizes[i] > 0) {
                take[i] = withReplacement
                        ? Draws.binomial(random, left, (double) sizes[i] / behind)
                        : Draws.hypergeometric(random, behind, sizes[i], left);
            }
            left -= take[i];
            behind -= sizes[i];
        }
        return new Quotas(sizes, take);
    }
}
