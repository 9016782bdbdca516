package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.serializer.EncodedRecords;
import org.jspecify.annotations.Nullable;

/**
 * Kind of the keys of one sort. Decides how keys are compared: by a 64-bit prefix, which decides the order of numbers
 * always and of strings mostly, or by a comparator.
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

    /** Class of the keys of this kind, for errors. For {@link #OTHER}, the class of the key {@code example}. */
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

    /** Prefix of a numeric key; for a double, {@code value} is its bits as a long. */
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

    /** Maps the bits of every NaN to those of one NaN. */
    private static long canonical(long bits) {
        return Double.doubleToLongBits(Double.longBitsToDouble(bits));
    }

    /** Maps the bits of doubles to longs in the same order as the doubles, and such longs back to bits. */
    private static long toOrdered(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
