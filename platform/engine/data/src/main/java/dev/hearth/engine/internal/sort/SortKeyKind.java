package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.serializer.EncodedRecords;
import org.jspecify.annotations.Nullable;

/**
 * Type of the keys of one sort. It decides how keys are compared: by a 64-bit prefix or by a comparator. A prefix
 * decides every comparison of numbers, and most comparisons of strings.
 */
enum SortKeyKind {
    LONG,
    INTEGER,
    DOUBLE,
    /** The keys are strings, and a prefix has the first characters of a string. */
    TEXT,
    /** The keys are of any other type, or are compared by a comparator of the user. */
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

    /**
     * Returns the class of the keys that this constant stands for, for error messages. For {@link #OTHER}, returns the
     * class of {@code example}, or {@code Object} if that is null.
     */
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

    /**
     * Returns the prefix of a numeric key. {@code value} is the key, or, if the key is a double, its bits as a long.
     */
    long prefix(long value, boolean descending) {
        long ascending = this == DOUBLE ? toOrdered(canonical(value)) : value;
        return descending ? ~ascending : ascending;
    }

    /** Returns the prefix of {@code key}, a boxed number. */
    long prefix(Object key, boolean descending) {
        return prefix(
                key instanceof Double number ? Double.doubleToLongBits(number) : ((Number) key).longValue(),
                descending);
    }

    /**
     * Returns the numeric key that {@code prefix} represents exactly: the reverse of {@link #prefix(Object, boolean)}.
     */
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

    /** Maps the bits of every NaN to those of one NaN, so that all NaNs are equal. */
    private static long canonical(long bits) {
        return Double.doubleToLongBits(Double.longBitsToDouble(bits));
    }

    /**
     * Maps the bits of doubles to longs that have the same order as the doubles. Maps such longs back to the bits, too.
     */
    private static long toOrdered(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
