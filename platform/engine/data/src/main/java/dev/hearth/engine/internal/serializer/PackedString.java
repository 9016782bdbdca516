package dev.hearth.engine.internal.serializer;

import org.jspecify.annotations.Nullable;

/**
 * Packs short strings into two longs, so that hash tables can compare keys without reading the string objects. Two
 * packed strings are equal exactly when their longs are. Only strings of up to 15 Latin-1 characters can be packed; for
 * any other object both longs are 0. Holds the string packed last. Owned by one thread.
 */
public final class PackedString {
    private static final int LENGTH_MAX = 15;
    private static final int CHAR_MAX = 0xFF;
    // the second long has length + 1 from this bit on, so that it is never 0 for a packed string
    private static final int LENGTH_SHIFT = 56;

    private static final long FIRST_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long SECOND_FACTOR = 0xC2B2AE3D27D4EB4FL;

    private static final boolean DIRECT = JdkInternals.canReadBytes();

    private long first;
    private long second;

    public long first() {
        return first;
    }

    /** Returns the second of the two longs. It is 0 exactly if the last object could not be packed. */
    public long second() {
        return second;
    }

    /** Hash code of the two longs. It differs from the {@code hashCode} of the string. */
    public int hash() {
        return (int) ((first * FIRST_FACTOR + second * SECOND_FACTOR) >>> Integer.SIZE);
    }

    /** Packs {@code key} and returns true if it is a short string. Otherwise sets both longs to 0 and returns false. */
    public boolean pack(@Nullable Object key) {
        if (!(key instanceof String text) || text.length() > LENGTH_MAX) {
            first = 0;
            second = 0;
            return false;
        }
        if (DIRECT && JdkInternals.isBytes(text)) {
            packBytes(text);
            return true;
        }
        return packChars(text);
    }

    /**
     * Packs eight bytes at a time. May read beyond the last character, but not beyond the array in memory, which is
     * padded to a multiple of 8 bytes.
     */
    private void packBytes(String text) {
        int length = text.length();
        int beyond = Math.max(0, length - Long.BYTES);
        long low = 0;
        long high = 0;
        if (length > 0) {
            int unused = Long.SIZE - (length - beyond) * Byte.SIZE;
            low = JdkInternals.bytes(text, 0) << unused >>> unused;
            // if there is no second long, reads the first one again, because a branch would be unpredictable
            high = JdkInternals.bytes(text, (length - 1) & Long.BYTES) & ((1L << (beyond * Byte.SIZE)) - 1);
        }
        first = low;
        second = high | (length + 1L) << LENGTH_SHIFT;
    }

    /** As {@link #packBytes}, but character by character, for strings whose bytes cannot be read directly. */
    boolean packChars(String text) {
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
        boolean packed = all <= CHAR_MAX;
        first = packed ? low : 0;
        second = packed ? high | (length + 1L) << LENGTH_SHIFT : 0;
        return packed;
    }
}
