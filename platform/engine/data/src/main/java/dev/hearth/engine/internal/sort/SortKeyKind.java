package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.serializer.EncodedRecords;
import org.jspecify.annotations.Nullable;

/** How keys of one sort are compared: by a number each that says all or most of it, or by comparing the keys themselves. */
enum SortKeyKind {
    LONG,
    INTEGER,
    DOUBLE,
    /** Strings: the number says how they begin. */
    TEXT,
    /** Anything else, or whatever the user's comparator compares. */
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

    /** What to call the class of such a key; of others that of {@code example}. */
    Class<?> type(@Nullable Object example) {
        return switch (this) {
            case LONG -> Long.class;
            case INTEGER -> Integer.class;
            case DOUBLE -> Double.class;
            case TEXT -> String.class;
            case OTHER -> example == null ? Object.class : example.getClass();
        };
    }

    /** Whether keys are equal when their numbers are, and can be made of them. */
    boolean isExact() {
        return this == LONG || this == INTEGER || this == DOUBLE;
    }

    /** The number of a key that is a number itself; {@code value} are the bits of a double. */
    long prefix(long value, boolean descending) {
        long ascending = this == DOUBLE ? turn(canonical(value)) : value;
        return descending ? ~ascending : ascending;
    }

    /** The number of a boxed key. */
    long prefix(Object key, boolean descending) {
        return prefix(
                key instanceof Double number ? Double.doubleToLongBits(number) : ((Number) key).longValue(),
                descending);
    }

    /** The key that a number was made of. */
    Object key(long prefix, boolean descending) {
        long ascending = descending ? ~prefix : prefix;
        if (this == LONG) {
            return ascending;
        }
        if (this == INTEGER) {
            return (int) ascending;
        }
        return Double.longBitsToDouble(turn(ascending));
    }

    /** All that are no number are one key. */
    private static long canonical(long bits) {
        return Double.doubleToLongBits(Double.longBitsToDouble(bits));
    }

    /** Bits of doubles to longs of the same order, and back. */
    private static long turn(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
