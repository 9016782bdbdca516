package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Round trips of every kind of value: equal, and of the same class. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // user programs contain such values
class ApplicationRecordFormatTest {
    private final RecordRoundTrip hand = new RecordRoundTrip();

    private static final LocalDateTime NOON = LocalDateTime.of(2024, 2, 29, 12, 0, 1, 7);

    static Stream<Object> values() {
        return Stream.of(
                        Stream.of(
                                true,
                                false,
                                (byte) -1,
                                (short) -2,
                                'c',
                                '\uD800',
                                Integer.MIN_VALUE,
                                7,
                                32_768,
                                -32_769),
                        Stream.of(
                                1L,
                                -1L,
                                1L << 40,
                                (1L << 31) - 1,
                                1L << 31,
                                -1L << 31,
                                (-1L << 31) - 1,
                                Long.MIN_VALUE,
                                1.5f,
                                -0.0,
                                Double.MIN_VALUE,
                                Float.MAX_VALUE),
                        Stream.of(
                                "",
                                "text",
                                "\u00ff\u0000",
                                "\u4e2d",
                                "\u0100",
                                "a\u0100",
                                "\uD800 alone",
                                "\uD83D\uDE00",
                                "x".repeat(300)),
                        Stream.of(BigInteger.ONE.shiftLeft(200).negate(), new BigDecimal("-1.50"), UUID.randomUUID()),
                        times(),
                        Stream.of(
                                TimeUnit.DAYS, Sign.PLUS, Sign.NONE, Pair.of("a", null), Pair.of(1, Pair.of(2L, 3.0))),
                        collections(),
                        Stream.of(new Date(5), Locale.ROOT, new Point(1, "x"), new Point(2, null), new Bare()))
                .flatMap(some -> some);
    }

    private static Stream<Object> times() {
        return Stream.of(
                Instant.MAX,
                Instant.MIN,
                Duration.ofSeconds(-1, 5),
                LocalDate.MIN,
                LocalDate.MAX,
                LocalTime.MAX,
                NOON,
                ZoneOffset.ofHours(-5),
                OffsetDateTime.of(NOON, ZoneOffset.MIN),
                ZonedDateTime.of(NOON, ZoneId.of("Europe/Paris")),
                ZonedDateTime.of(NOON, ZoneOffset.UTC),
                ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 0, ZoneId.of("Europe/Berlin"))
                        .withLaterOffsetAtOverlap(),
                Period.of(1, -2, 3),
                Year.of(-5),
                YearMonth.of(2024, 2),
                MonthDay.of(2, 29),
                ZoneId.of("Asia/Tokyo"));
    }

    private static Stream<Object> collections() {
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1));
        map.put(null, null);
        return Stream.of(
                new ArrayList<>(Arrays.asList(1, null, "x")),
                new LinkedList<>(List.of(1, 2)),
                new HashSet<>(Arrays.asList(null, "a", 5)),
                new LinkedHashSet<>(List.of(3, 1, 2)),
                new TreeSet<>(List.of(3, 1, 2)),
                map,
                new LinkedHashMap<>(map),
                new TreeMap<>(Map.of("b", 1, "a", 2)),
                Arrays.asList(1, null),
                List.of(),
                List.of(1),
                List.of(1, 2),
                List.of(1, 2, 3, 4),
                Stream.of(1, null).toList(),
                Set.of(),
                Set.of(1),
                Set.of(1, 2, 3),
                Map.of(),
                Map.of(1, 2),
                Map.of(1, 2, 3, 4, 5, 6),
                Collections.emptyList(),
                Collections.emptySet(),
                Collections.emptyMap(),
                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                new EnumMap<>(Map.of(TimeUnit.DAYS, "x")),
                new ConcurrentHashMap<>(Map.of(1, 2)));
    }

    enum Sign {
        PLUS {
            @Override
            int of(int value) {
                return value;
            }
        },
        NONE;

        int of(int value) {
            return -value;
        }
    }

    private record Point(int x, String name) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private record Bare() implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    @ParameterizedTest
    @MethodSource("values")
    void roundTripsEveryKind(Object value) {
        Object back = hand.copy(value);
        assertEquals(value, back);
        assertSame(value.getClass(), back.getClass());
        assertEquals(value.toString(), back.toString());
        assertEquals(Pair.of(value, value), hand.copy(Pair.of(value, value)));
        assertEquals(
                new ArrayList<>(Arrays.asList(value, null)), hand.copy(new ArrayList<>(Arrays.asList(value, null))));
    }

    @Test
    void roundTripsNull() {
        assertNull(hand.copy(null));
        assertArrayEquals(new byte[] {0}, hand.write(null));
    }

    @Test
    void roundTripsArraysOfTheSameClass() {
        for (Object array : new Object[] {
            new byte[] {1, 2},
            new short[] {-1, 300},
            new char[] {'a', '\uDC00'},
            new int[] {1, -1, Integer.MAX_VALUE},
            new long[] {1L << 40},
            new float[] {1.5f},
            new double[] {2.5, Double.NaN},
            new boolean[] {true, false},
            new int[0],
            new String[] {"a", null},
            new Object[] {1, "a", null, new int[] {1}},
            new Integer[] {1, null},
            new int[][] {{1}, null, {}},
            new Point[] {new Point(1, "a"), null},
            new Serializable[][] {{1}, new String[] {"covariant"}},
            new Sign[] {Sign.PLUS}
        }) {
            Object back = hand.copy(array);
            assertSame(array.getClass(), back.getClass());
            assertTrue(Arrays.deepEquals(new Object[] {array}, new Object[] {back}));
        }
        assertInstanceOf(String[].class, ((Object[]) hand.copy(new Serializable[][] {new String[] {"a"}}))[0]);
    }

    @Test
    void preservesHiddenStateOfCollections() {
        ArrayDeque<?> deque = (ArrayDeque<?>) hand.copy(new ArrayDeque<>(List.of(3, 1, 2)));
        assertEquals(List.of(3, 1, 2), List.copyOf(deque));

        TreeMap<Integer, String> descending = new TreeMap<>(Comparator.reverseOrder());
        descending.putAll(Map.of(1, "a", 2, "b"));
        assertEquals(2, ((TreeMap<?, ?>) hand.copy(descending)).firstKey());
        Comparator<String> byLength =
                (Comparator<String> & Serializable) (a, b) -> Integer.compare(a.length(), b.length());
        TreeSet<String> lengths = new TreeSet<>(byLength);
        lengths.addAll(List.of("ccc", "a"));
        @SuppressWarnings("unchecked")
        TreeSet<String> back = (TreeSet<String>) hand.copy(lengths);
        assertTrue(back.contains("b"));

        LinkedHashMap<String, Integer> latest = new LinkedHashMap<>(16, 0.75f, true);
        latest.put("a", 1);
        latest.put("b", 2);
        @SuppressWarnings("unchecked")
        Map<String, Integer> copy = (Map<String, Integer>) hand.copy(latest);
        copy.get("a");
        assertEquals("b", copy.keySet().iterator().next());

        Object[] array = {1, 2};
        Object[] both = (Object[]) hand.copy(new Object[] {array, Arrays.asList(array)});
        ((Object[]) both[0])[0] = "seen through";
        assertEquals("seen through", ((List<?>) both[1]).get(0));
    }

    @Test
    void sharesNoMutableStateWithTheOriginal() {
        List<int[]> list = new ArrayList<>(List.of(new int[] {1}));
        List<?> back = (List<?>) hand.copy(list);
        assertNotSame(list, back);
        assertNotSame(list.get(0), back.get(0));
        assertNotSame(hand.copy(new Date(1)), hand.copy(new Date(1)));
    }

    @Test
    void isCompact() {
        assertEquals(7, hand.write(Pair.of(1, -2)).length);
        assertEquals(11, hand.write(Pair.of(1 << 20, Integer.MIN_VALUE)).length);
        assertEquals(1 + 5 + 2 + 90, hand.write(Pair.of(1L, new byte[90])).length);
        assertEquals(1 + 1 + 4, hand.write("text").length);
        assertEquals(1 + 4 + 1 + 1 + 1, hand.write(new Point(1, "x")).length);
    }
}
