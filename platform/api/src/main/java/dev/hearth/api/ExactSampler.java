package dev.hearth.api;

import java.util.SplittableRandom;

/** Samples exactly {@code wanted} of {@code size} elements, in one pass. Owned by one thread. */
final class ExactSampler {
    private final boolean withReplacement;
    private long size; // number of remaining elements
    private long wanted; // number of samples still to draw

    ExactSampler(long size, long wanted, boolean withReplacement) {
        this.size = size;
        this.wanted = wanted;
        this.withReplacement = withReplacement;
    }

    boolean isFull() {
        return wanted == 0;
    }

    /** Draws how often the next element occurs in the sample: 0 or 1, or possibly more with replacement. */
    long next(SplittableRandom random) {
        if (size <= 0) { // a recomputed partition may have more elements than were counted
            return 0;
        }
        long times = withReplacement
                ? RandomVariates.binomial(random, wanted, 1.0 / size)
                : random.nextLong(size) < wanted ? 1 : 0;
        size--;
        wanted -= times;
        return times;
    }
}
