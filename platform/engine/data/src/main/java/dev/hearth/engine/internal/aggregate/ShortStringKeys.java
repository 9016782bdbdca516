package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.serializer.PackedString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Short strings among the keys of a {@link KeyHashTable}, by slot, each packed into two longs (see
 * {@link PackedString}). Comparing the longs avoids two cache misses per comparison: the string object and its
 * characters. Owned by one thread.
 */
final class ShortStringKeys {
    /** Bytes per slot. */
    static final int WIDTH = 2 * Long.BYTES;

    private final PackedString packed = new PackedString();
    private long[] words = {};

    /** Grows to {@code slots} slots; existing slots keep their strings. */
    void grow(int slots) {
        words = Arrays.copyOf(words, 2 * slots);
    }

    void clear() {
        words = new long[0];
    }

    /** Packs a key; false when it is not a short string. */
    boolean pack(@Nullable Object key) {
        return packed.pack(key);
    }

    /** Hash code of the key packed last. */
    int hash() {
        return packed.hash();
    }

    /** Whether the slot holds the key packed last. */
    boolean isAt(int slot) {
        return isAt(slot, packed.first(), packed.second());
    }

    private boolean isAt(int slot, long first, long second) {
        return words[2 * slot] == first && words[2 * slot + 1] == second;
    }

    /** Whether the slot holds a packed string. */
    boolean isPacked(int slot) {
        return words[2 * slot + 1] != 0;
    }

    /** Stores the key packed last in a slot, or marks the slot as unpacked if the key could not be packed. */
    void store(int slot) {
        words[2 * slot] = packed.first();
        words[2 * slot + 1] = packed.second();
    }

    /** Stores the key packed last at an index of {@code target}. */
    void storeTo(long[] target, int index) {
        target[2 * index] = packed.first();
        target[2 * index + 1] = packed.second();
    }

    /** Whether the slot holds the string stored at an index of {@code stored}. */
    boolean holds(int slot, long[] stored, int index) {
        return stored[2 * index + 1] != 0 && isAt(slot, stored[2 * index], stored[2 * index + 1]);
    }

    /** Reads a part of the slot, to load it into the cache. */
    int touch(int slot) {
        return (int) words[2 * slot];
    }
}
