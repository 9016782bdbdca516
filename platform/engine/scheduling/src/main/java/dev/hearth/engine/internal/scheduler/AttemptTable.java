package dev.hearth.engine.internal.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * Hash table of the attempts that executors run or queue, by task number. Uses open addressing and no boxing, because
 * there may be many attempts. Owned by {@link TaskScheduler}.
 */
final class AttemptTable {
    private static final int ROOM = 64; // the length is a power of two
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private @Nullable Attempt[] slots = new @Nullable Attempt[ROOM];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Attempt find(long task) {
        for (int at = home(task); ; at = (at + 1) & (slots.length - 1)) {
            Attempt attempt = slots[at];
            if (attempt == null || attempt.task == task) {
                return attempt;
            }
        }
    }

    void add(Attempt attempt) {
        if (++size * 2 > slots.length) {
            grow();
        }
        place(attempt);
    }

    void remove(Attempt attempt) {
        int mask = slots.length - 1;
        int hole = home(attempt.task);
        while (slots[hole] != attempt) {
            hole = (hole + 1) & mask;
        }
        size--;
        // closes the gap by moving later entries, so that searches need no tombstones
        for (int at = (hole + 1) & mask; ; at = (at + 1) & mask) {
            Attempt moved = slots[at];
            if (moved == null) {
                break;
            }
            if (((at - home(moved.task)) & mask) >= ((at - hole) & mask)) {
                slots[hole] = moved;
                hole = at;
            }
        }
        slots[hole] = null;
    }

    private void place(Attempt attempt) {
        int at = home(attempt.task);
        while (slots[at] != null) {
            at = (at + 1) & (slots.length - 1);
        }
        slots[at] = attempt;
    }

    private void grow() {
        @Nullable Attempt[] before = slots;
        slots = new @Nullable Attempt[before.length * 2];
        for (Attempt attempt : before) {
            if (attempt != null) {
                place(attempt);
            }
        }
    }

    private int home(long task) {
        return (int) ((task * SPREAD) >>> 32) & (slots.length - 1);
    }
}
