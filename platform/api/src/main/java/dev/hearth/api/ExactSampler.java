package dev.hearth.api;

import java.util.SplittableRandom;

/** Samples exactly {@code wanted} of {@code size} elements, in one pass. Owned by one thread. */
final class ExactSampler {
    private final boolean withReplacement;
    private long size; // remaining elements
    private long wanted; // samples still to draw

    ExactSampler(long size, long wanted, boolean withReplacement) {
        this.size = size;
        this.wanted = wanted;
        this.withReplacement = withReplacement;
    }

    boolean isFull() {
        return wanted == 0;
    }

    /** Draws how often the next element is in the sample. */
    long next(SplittableRandom random) {
        if (size <= 0) { // a recomputed partition may have more elements
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
