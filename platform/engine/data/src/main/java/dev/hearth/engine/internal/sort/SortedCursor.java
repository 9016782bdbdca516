package dev.hearth.engine.internal.sort;

import org.jspecify.annotations.Nullable;

/**
 * Cursor over one run, a sequence of sorted pairs in memory or in a spill file. Starts before the first pair. Owned by
 * one thread.
 */
abstract class SortedCursor {
    private boolean exhausted;

    /** Advances to the next pair; returns false if there is none. */
    final boolean advance() {
        exhausted = exhausted || !tryAdvance();
        return !exhausted;
    }

    /** Whether the cursor is past the last pair. */
    final boolean isExhausted() {
        return exhausted;
    }

    abstract boolean tryAdvance();

    /** Sort prefix of the key, comparable with those of other cursors; 0 if keys are neither numbers nor strings. */
    abstract long prefix();

    /** The key of the current pair; the key's object is created only when it is needed. */
    abstract Object key();

    abstract @Nullable Object value();

    /** Appends the current pair to the run that {@code writer} writes. */
    abstract void write(SortedRunWriter writer);

    /** Closes the file of the run, if this cursor reads a spilled run. A later call has no effect. */
    abstract void close();
}
