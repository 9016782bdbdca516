package dev.hearth.engine.internal.sort;

import java.io.Serializable;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Kinds of keys to sort. */
enum SortedKeys {
    LONGS,
    LONGS_OF_ALL_SIZES,
    INTEGERS,
    DOUBLES,
    WORDS,
    WORDS_OF_EQUAL_PREFIX,
    WIDE_WORDS,
    WORDS_WIDE_AFTER_EQUAL_PREFIX,
    ALL_CHARACTERS,
    BIG_NUMBERS,
    RECORDS,
    LISTS_BY_COMPARATOR,
    LONGS_BY_COMPARATOR,
    WORDS_REVERSED,
    TEXT_BY_LENGTH;

    private static final double[] SPECIAL = {
        0.0,
        -0.0,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        -Double.MAX_VALUE,
        1.5,
        -1.5
    };

    /** A key with a natural order. */
    record Place(int row, String column) implements Comparable<Place>, Serializable {
        @Override
        public int compareTo(Place other) {
            int byRow = Integer.compare(row, other.row);
            return byRow != 0 ? byRow : column.compareTo(other.column);
        }
    }

    Object key(Random random, int number) {
        return switch (this) {
            case LONGS, LONGS_BY_COMPARATOR -> (long) number - 3;
            case LONGS_OF_ALL_SIZES -> random.nextLong() >> random.nextInt(64);
            case INTEGERS -> random.nextBoolean() ? number : random.nextInt();
            case DOUBLES ->
                random.nextInt(4) == 0
                        ? SPECIAL[random.nextInt(SPECIAL.length)]
                        : Double.longBitsToDouble(random.nextLong());
            case WORDS, WORDS_REVERSED -> "w" + number;
            case WORDS_OF_EQUAL_PREFIX -> "the same beginning for a long while, then " + number;
            case WIDE_WORDS -> "\u0436" + "\u4e2d".repeat(random.nextInt(9)) + number;
            case WORDS_WIDE_AFTER_EQUAL_PREFIX ->
                (random.nextBoolean() ? "prefix: " : "prefix: letters") + characters(random);
            case ALL_CHARACTERS, TEXT_BY_LENGTH -> characters(random);
            case BIG_NUMBERS -> BigInteger.valueOf(number).shiftLeft(random.nextInt(70));
            case RECORDS -> new Place(number % 50, "c" + number / 50);
            case LISTS_BY_COMPARATOR -> List.of(number, "x");
        };
    }

    /** Few different characters of every width, so that many strings share a prefix. */
    private static String characters(Random random) {
        char[] some = {0, 1, 'a', 'b', 0xFE, 0xFF, 0x100, 0xFFFF, 0xD800, 0xDC00};
        int kinds = random.nextBoolean() ? 6 : some.length;
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(14); i > 0; i--) {
            text.append(some[random.nextInt(kinds)]);
        }
        return text.toString();
    }

    Optional<Comparator<Object>> order() {
        return switch (this) {
            case LISTS_BY_COMPARATOR -> Optional.of(Comparator.comparing(key -> (Integer) ((List<?>) key).get(0)));
            case LONGS_BY_COMPARATOR -> Optional.of(Comparator.comparing(key -> ((Long) key) % 1000));
            case WORDS_REVERSED -> reversed();
            case TEXT_BY_LENGTH -> Optional.of(Comparator.comparing(key -> ((String) key).length()));
            default -> Optional.empty();
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // compares any comparable keys
    private static Optional<Comparator<Object>> reversed() {
        return Optional.of((Comparator) Comparator.reverseOrder());
    }
}
