package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.serializer.EncodedRecords;
import org.jspecify.annotations.Nullable;

/**
 * Kind of the keys of one sort. It decides how they are compared: by a 64-bit prefix that orders them completely or
 * mostly, or by a comparator.
 */
enum SortKeyKind {
    LONG,
    INTEGER,
    DOUBLE,
    /** Strings: the prefix contains the first characters. */
    TEXT,
    /** Any other key, and every key if the user gave a comparator. */
    OTHER;

    static SortKeyKind of(Object key) {
        Class<?> type = key.getClass();
        if (type == Long.class) {
            return LONG;
        }
        if (type == Integer.class) {
            return INTEGER;
        }
        if (type == String.class) {
            return TEXT;
        }
        return type == Double.class ? DOUBLE : OTHER;
    }

    static SortKeyKind of(EncodedRecords.Kind kind) {
        return switch (kind) {
            case LONG -> LONG;
            case INTEGER -> INTEGER;
            case DOUBLE -> DOUBLE;
            case LATIN, WIDE -> TEXT;
            case NULL, OTHER -> OTHER;
        };
    }

    /** Class of such a key, for errors; of {@link #OTHER} keys that of {@code example}. */
    Class<?> type(@Nullable Object example) {
        return switch (this) {
            case LONG -> Long.class;
            case INTEGER -> Integer.class;
            case DOUBLE -> Double.class;
            case TEXT -> String.class;
            case OTHER -> example == null ? Object.class : example.getClass();
        };
    }

    /** Whether the prefix represents the key exactly, so that the key can be rebuilt from it. */
    boolean isExact() {
        return this == LONG || this == INTEGER || this == DOUBLE;
    }

    /** Prefix of a numeric key; for doubles {@code value} are their bits. */
    long prefix(long value, boolean descending) {
        long ascending = this == DOUBLE ? toOrdered(canonical(value)) : value;
        return descending ? ~ascending : ascending;
    }

    /** Prefix of a boxed numeric key. */
    long prefix(Object key, boolean descending) {
        return prefix(
                key instanceof Double number ? Double.doubleToLongBits(number) : ((Number) key).longValue(),
                descending);
    }

    /** The key that {@code prefix} represents. */
    Object key(long prefix, boolean descending) {
        long ascending = descending ? ~prefix : prefix;
        if (this == LONG) {
            return ascending;
        }
        if (this == INTEGER) {
            return (int) ascending;
        }
        return Double.longBitsToDouble(toOrdered(ascending));
    }

    /** Maps all NaNs to one key. */
    private static long canonical(long bits) {
        return Double.doubleToLongBits(Double.longBitsToDouble(bits));
    }

    /** Maps the bits of doubles to longs of the same order, and back. */
    private static long toOrdered(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
