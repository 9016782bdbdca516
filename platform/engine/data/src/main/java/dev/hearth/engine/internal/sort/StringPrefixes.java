package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.serializer.EncodedRecords;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Sort prefixes of strings: 64-bit numbers in the order of {@link String#compareTo}. A narrow prefix has eight 8-bit
 * characters, and ends at the first character that needs more bits. A wide prefix has four 16-bit characters. Strings
 * with equal prefixes may still differ. Owned by one sort.
 */
final class StringPrefixes {
    private static final int NARROW_CHARS = 8;
    private static final int WIDE_CHARS = 4;
    private static final int CLAMPED = 0xFF; // stands for the character 0xFF and all greater characters
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final PairBuffers sources;
    private final RecordInput left = new RecordInput();
    private final RecordInput right = new RecordInput();

    StringPrefixes(PairBuffers sources) {
        this.sources = sources;
    }

    /** Whether {@code text} needs a wide prefix, because one of its first characters does not fit into a narrow one. */
    static boolean needsWide(String text) {
        for (int i = 0; i < NARROW_CHARS && i < text.length(); i++) {
            if (text.charAt(i) >= CLAMPED) {
                return true;
            }
        }
        return false;
    }

    static int chars(boolean wide) {
        return wide ? WIDE_CHARS : NARROW_CHARS;
    }

    /**
     * Whether strings that all have the prefix {@code prefix} must be compared whole to find their order. Such strings
     * may end within the prefix, or have a character that the prefix replaces by {@link #CLAMPED}.
     */
    static boolean isInconclusive(long prefix, boolean wide, boolean descending) {
        long ascending = (descending ? ~prefix : prefix) ^ Long.MIN_VALUE;
        return wide ? (ascending & 0xFFFF) == 0 : (ascending & 0xFF) == 0 || hasClamped(ascending);
    }

    private static boolean hasClamped(long prefix) {
        long turned = ~prefix;
        return ((turned - ONES) & ~turned & HIGHS) != 0;
    }

    private static long signed(long unsigned, boolean descending) {
        long ascending = unsigned ^ Long.MIN_VALUE;
        return descending ? ~ascending : ascending;
    }

    /**
     * Returns the sort prefix of the characters of {@code text} from index {@code depth} on: a wide prefix if {@code
     * wide}, otherwise a narrow one.
     */
    static long prefix(String text, int depth, boolean wide, boolean descending) {
        long prefix = 0;
        int chars = chars(wide);
        int bits = Long.SIZE / chars;
        for (int i = 0; i < chars && depth + i < text.length(); i++) {
            char next = text.charAt(depth + i);
            int shift = Long.SIZE - bits * (i + 1);
            if (!wide && next >= CLAMPED) {
                prefix |= (long) CLAMPED << shift;
                break;
            }
            prefix |= (long) next << shift;
        }
        return signed(prefix, descending);
    }

    /**
     * As {@link #prefix(String, int, boolean, boolean)}, for the string key of the pair that {@code row} identifies.
     */
    long prefix(long row, int depth, boolean wide, boolean descending) {
        Object key = sources.keyOrBytes(row, left);
        return key == null ? prefix(left, depth, wide, descending) : prefix((String) key, depth, wide, descending);
    }

    /** As {@link #prefix(String, int, boolean, boolean)}, for the serialised string at the position of {@code text}. */
    static long prefix(RecordInput text, int depth, boolean wide, boolean descending) {
        boolean latin = EncodedRecords.kind(text.array(), text.position()) == EncodedRecords.Kind.LATIN;
        int bytes = EncodedRecords.enterText(text);
        byte[] array = text.array();
        int start = text.position();
        int length = latin ? bytes : bytes / Character.BYTES;
        int chars = chars(wide);
        if (latin && !wide && length - depth >= NARROW_CHARS) {
            long prefix = (long) LONGS.get(array, start + depth);
            if (!hasClamped(prefix)) {
                return signed(prefix, descending);
            }
        }
        long prefix = 0;
        int bits = Long.SIZE / chars;
        for (int i = 0; i < chars && depth + i < length; i++) {
            int next = latin
                    ? array[start + depth + i] & 0xFF
                    : (array[start + 2 * (depth + i)] & 0xFF) | (array[start + 2 * (depth + i) + 1] & 0xFF) << 8;
            int shift = Long.SIZE - bits * (i + 1);
            if (!wide && next >= CLAMPED) {
                prefix |= (long) CLAMPED << shift;
                break;
            }
            prefix |= (long) next << shift;
        }
        return signed(prefix, descending);
    }

    /** Compares the keys, which are strings, of the pairs that two rows identify, by all of their characters. */
    int compare(long one, long another) {
        Object first = sources.keyOrBytes(one, left);
        Object second = sources.keyOrBytes(another, right);
        if (first == null && second == null && isLatin(left) && isLatin(right)) {
            int from = enter(left);
            int until = left.limit();
            int other = enter(right);
            return Arrays.compareUnsigned(left.array(), from, until, right.array(), other, right.limit());
        }
        return text(one).compareTo(text(another));
    }

    private static boolean isLatin(RecordInput text) {
        return EncodedRecords.kind(text.array(), text.position()) == EncodedRecords.Kind.LATIN;
    }

    /**
     * Restricts {@code text}, which is at a serialised string, to the characters of that string. Returns the position
     * of the first character.
     */
    private static int enter(RecordInput text) {
        int bytes = EncodedRecords.enterText(text);
        int from = text.position();
        text.on(text.array(), from, from + bytes);
        return from;
    }

    private String text(long row) {
        Object text = sources.key(row);
        if (text instanceof String string) {
            return string;
        }
        throw new IllegalStateException("sort: key " + text + " among strings (expected: a string)");
    }
}
