package dev.hearth.api;

import java.util.SplittableRandom;

/** Draws exactly so many of elements that pass, knowing how many these are. Owned by one thread. */
final class Quota {
    private final boolean withReplacement;
    private long size; // of what is to come
    private long wanted; // of that

    Quota(long size, long wanted, boolean withReplacement) {
        this.size = size;
        this.wanted = wanted;
        this.withReplacement = withReplacement;
    }

    boolean isFull() {
        return wanted == 0;
    }

    /** How often the next element is drawn. */
    long next(SplittableRandom random) {
        if (size <= 0) { // computed anew, there are more than there were
            return 0;
        }
        long times =
                withReplacement ? Draws.binomial(random, wanted, 1.0 / size) : random.nextLong(size) < wanted ? 1 : 0;
        size--;
        wanted -= times;
        return times;
    }
}
