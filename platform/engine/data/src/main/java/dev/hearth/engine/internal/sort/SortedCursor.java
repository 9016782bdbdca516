package dev.hearth.engine.internal.sort;

import org.jspecify.annotations.Nullable;

/** Goes over sorted pairs, at one of them at a time. Owned by one thread; starts before the first. */
abstract class SortedCursor {
    private boolean exhausted;

    /** Moves to the next pair; false when there is none. */
    final boolean advance() {
        exhausted = exhausted || !moved();
        return !exhausted;
    }

    /** Whether it went past the last pair. */
    final boolean isExhausted() {
        return exhausted;
    }

    abstract boolean moved();

    /** The number of the key, the same whatever cursor it is on; 0 of keys that are neither numbers nor strings. */
    abstract long prefix();

    /** The key, made when it is first asked for. */
    abstract Object key();

    abstract @Nullable Object value();

    /** Writes the pair as it is. */
    abstract void write(SortedRunWriter writer);

    /** Lets go of what it reads; a later call does nothing. */
    abstract void close();
}
