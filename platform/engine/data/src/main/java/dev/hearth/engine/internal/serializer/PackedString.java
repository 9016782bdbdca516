package dev.hearth.engine.internal.serializer;

import org.jspecify.annotations.Nullable;

/**
 * Packs short strings into two longs, which are equal exactly when the strings are. Strings of up to 15 characters
 * below 256 can be packed; for any other object both longs are 0. Holds the string packed last. Owned by one thread.
 */
public final class PackedString {
    private static final int LENGTH_MAX = 15;
    private static final int CHAR_MAX = 0xFF;
    // position of length + 1 in the second long, so that a packed string is never 0
    private static final int LENGTH_SHIFT = 56;

    private static final long FIRST_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long SECOND_FACTOR = 0xC2B2AE3D27D4EB4FL;

    private static final boolean DIRECT = JdkInternals.canReadBytes();

    private long first;
    private long second;

    public long first() {
        return first;
    }

    /** Not 0 if a string is packed. */
    public long second() {
        return second;
    }

    /** Hash code of both longs, which differs from that of the string. */
    public int hash() {
        return (int) ((first * FIRST_FACTOR + second * SECOND_FACTOR) >>> Integer.SIZE);
    }

    /** Packs a key; false if it cannot be packed. */
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
     * Packs eight bytes at a time. Reads beyond the characters, but not beyond their array, which ends at a multiple of
     * 8 bytes.
     */
    private void packBytes(String text) {
        int length = text.length();
        int beyond = Math.max(0, length - Long.BYTES);
        long low = 0;
        long high = 0;
        if (length > 0) {
            int unused = Long.SIZE - (length - beyond) * Byte.SIZE;
            low = JdkInternals.bytes(text, 0) << unused >>> unused;
            // reads the first long again if there is no second one, which avoids an unpredictable branch
            high = JdkInternals.bytes(text, (length - 1) & Long.BYTES) & ((1L << (beyond * Byte.SIZE)) - 1);
        }
        first = low;
        second = high | (length + 1L) << LENGTH_SHIFT;
    }

    /** As {@link #packBytes}, character by character. */
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
