package dev.hearth.yarn.internal.allocator;

import java.util.BitSet;

/** Small numbers for the priorities of pools; a number is given again once its pool is over. Owned by {@link Allocator}. */
final class Priorities {
    private static final int FIRST = 1; // 0 is that of the application master

    private final BitSet used = new BitSet();

    int take() {
        int priority = used.nextClearBit(FIRST);
        used.set(priority);
        return priority;
    }

    void giveBack(int priority) {
        used.clear(priority);
    }
}
