package dev.hearth.engine.internal.aggregate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The short strings among the keys of a {@link KeyTable}, by number, each as two longs: most words are compared by these, without
 * a look at two objects that are in no cache. What is no string of up to 15 characters below 256 has none of it.
 * <p>Owned by one thread. Holds one string beside those by number: the one that was {@link #pack}ed last.
 */
final class ShortTexts {
    /** What it takes for a number. */
    static final int WIDTH = 2 * Long.BYTES;

    private static final int LENGTH_MAX = 15;
    private static final int CHAR_MAX = 0xFF;
    private static final int LENGTH_SHIFT = 56; // of the second long: a length and one, so that nothing packed is 0

    private long[] words = {};
    private long first;
    private long second;

    /** Makes room for so many; those that are there stay. */
    void grow(int numbers) {
        words = Arrays.copyOf(words, 2 * numbers);
    }

    void clear() {
        words = new long[0];
    }

    /** Makes longs of a key; false when it has none. */
    boolean pack(@Nullable Object key) {
        first = 0;
        second = 0;
        if (!(key instanceof String text) || text.length() > LENGTH_MAX) {
            return false;
        }
        int length = text.length();
        int all = 0;
        long low = 0;
        for (int i = Math.min(length, Long.BYTES) - 1; i >= 0; i--) {
            char at = text.charAt(i);
            all |= at;
            low = low << Byte.SIZE | at;
        }
        long high = 0;
        for (int i = length - 1; i >= Long.BYTES; i--) {
            char at = text.charAt(i);
            all |= at;
            high = high << Byte.SIZE | at;
        }
        if (all > CHAR_MAX) {
            return false;
        }
        first = low;
        second = high | (length + 1L) << LENGTH_SHIFT;
        return true;
    }

    /** Whether a number has what was packed last. */
    boolean isAt(int number) {
        return words[2 * number] == first && words[2 * number + 1] == second;
    }

    /** Gives a number what was packed last, or that it has none. */
    void put(int number) {
        words[2 * number] = first;
        words[2 * number + 1] = second;
    }

    /** A part of what {@link #isAt} reads. */
    int glance(int number) {
        return (int) words[2 * number];
    }
}
