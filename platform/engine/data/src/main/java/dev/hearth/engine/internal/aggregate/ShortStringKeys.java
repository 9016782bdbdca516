package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.serializer.PackedString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The short strings among the keys of a {@link KeyHashTable}, by number, each as two longs (see {@link PackedString}): most words are
 * compared by these, without a look at two objects that are in no cache. Owned by one thread.
 */
final class ShortStringKeys {
    /** What it takes for a number. */
    static final int WIDTH = 2 * Long.BYTES;

    private final PackedString packed = new PackedString();
    private long[] words = {};

    /** Makes room for so many; those that are there stay. */
    void grow(int numbers) {
        words = Arrays.copyOf(words, 2 * numbers);
    }

    void clear() {
        words = new long[0];
    }

    /** Makes longs of a key; false when it has none. */
    boolean pack(@Nullable Object key) {
        return packed.pack(key);
    }

    /** A hash code of what was packed last. */
    int hash() {
        return packed.hash();
    }

    /** Whether a number has what was packed last. */
    boolean isAt(int number) {
        return isAt(number, packed.first(), packed.second());
    }

    private boolean isAt(int number, long first, long second) {
        return words[2 * number] == first && words[2 * number + 1] == second;
    }

    /** Whether a number has any. */
    boolean isAny(int number) {
        return words[2 * number + 1] != 0;
    }

    /** Gives a number what was packed last, or that it has none. */
    void put(int number) {
        words[2 * number] = packed.first();
        words[2 * number + 1] = packed.second();
    }

    /** Writes down what was packed last, as one of several. */
    void note(long[] notes, int at) {
        notes[2 * at] = packed.first();
        notes[2 * at + 1] = packed.second();
    }

    /** Whether a number has what was written down. */
    boolean isNoted(int number, long[] notes, int at) {
        return notes[2 * at + 1] != 0 && isAt(number, notes[2 * at], notes[2 * at + 1]);
    }

    /** A part of what {@link #isAt} reads. */
    int glance(int number) {
        return (int) words[2 * number];
    }
}
