package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.serializer.PackedString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packed copies of the short strings among the keys of a {@link KeyHashTable}. Each is packed into two longs (see
 * {@link PackedString}) and stored by the key's slot (its number in the table). Comparing the longs avoids two cache
 * misses per comparison: the string object and its characters. Owned by one thread.
 */
final class ShortStringKeys {
    /** Bytes per slot. */
    static final int WIDTH = 2 * Long.BYTES;

    private final PackedString packed = new PackedString();
    private long[] words = {};

    /** Enlarges the array to {@code slots} slots; existing slots keep their strings. */
    void grow(int slots) {
        words = Arrays.copyOf(words, 2 * slots);
    }

    void clear() {
        words = new long[0];
    }

    /**
     * Packs {@code key}, to which calls of other methods then refer as the key that was packed last. Returns false if
     * it is not a short string.
     */
    boolean pack(@Nullable Object key) {
        return packed.pack(key);
    }

    /** Hash code of the key that was packed last. */
    int hash() {
        return packed.hash();
    }

    /**
     * Returns whether the string that is stored packed at {@code slot}, the number of a key, equals the key that was
     * packed last.
     */
    boolean isAt(int slot) {
        return isAt(slot, packed.first(), packed.second());
    }

    private boolean isAt(int slot, long first, long second) {
        return words[2 * slot] == first && words[2 * slot + 1] == second;
    }

    /** Returns whether the key number {@code slot} is a short string, which is stored packed here. */
    boolean isPacked(int slot) {
        return words[2 * slot + 1] != 0;
    }

    /**
     * Stores the key that was packed last in a slot. If that key is not a short string, marks the slot as not packed.
     */
    void store(int slot) {
        words[2 * slot] = packed.first();
        words[2 * slot + 1] = packed.second();
    }

    /** Stores the key that was packed last at position {@code index} of {@code target}, which has two longs per key. */
    void storeTo(long[] target, int index) {
        target[2 * index] = packed.first();
        target[2 * index + 1] = packed.second();
    }

    /**
     * Returns whether the slot holds the packed string at position {@code index} of {@code stored}, an array of two
     * longs per key. False if there is no packed string at that position.
     */
    boolean holds(int slot, long[] stored, int index) {
        return stored[2 * index + 1] != 0 && isAt(slot, stored[2 * index], stored[2 * index + 1]);
    }

    /**
     * Reads a part of the packed string of a slot, which loads the string into the CPU cache. The result has no
     * meaning.
     */
    int touch(int slot) {
        return (int) words[2 * slot];
    }
}
