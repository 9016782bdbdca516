package dev.hearth.engine.internal.closure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.api.function.MapFunction;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ImmutabilityCheckTest {
    private final UserObjectSerializer objects = new UserObjectSerializer(ImmutabilityCheckTest.class.getClassLoader());
    private final ImmutabilityCheck unchangeable = objects.unchangeable();

    private record Point(int x, String name) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private record Holder(Object held) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private record NotSerialisable(int x) {}

    /** A mutable subclass of a value class. */
    private static final class Counter extends BigInteger {
        private static final long serialVersionUID = 1L;

        Counter() {
            super("1");
        }
    }

    private static final class Adder implements MapFunction<Integer, Integer> {
        private static final long serialVersionUID = 1L;
        private final int added;

        Adder(int added) {
            this.added = added;
        }

        @Override
        public Integer apply(Integer number) {
            return number + added;
        }
    }

    private static final class Stateful implements MapFunction<Integer, Integer> {
        private static final long serialVersionUID = 1L;
        private int count;

        @Override
        public Integer apply(Integer number) {
            return count++;
        }
    }

    private static final class WithTransientField implements MapFunction<Integer, Integer> {
        private static final long serialVersionUID = 1L;
        private final transient int lost = 5;

        @Override
        public Integer apply(Integer number) {
            return number + lost;
        }
    }

    @Test
    void sharesImmutableValues() {
        Broadcast<String> broadcast = new Broadcast<>(1, new NoSource());
        for (Object value : new Object[] {
            true,
            (byte) 1,
            'c',
            (short) 1,
            1,
            1L,
            1f,
            1d,
            "text",
            new BigInteger("1"),
            new BigDecimal("1"),
            new UUID(1, 2),
            TimeUnit.DAYS,
            Instant.EPOCH,
            ZoneId.of("Europe/Berlin"),
            Instant.EPOCH.atZone(ZoneOffset.UTC),
            new Point(1, "a"),
            Pair.of("key", Pair.of(1, Instant.EPOCH)),
            new Holder("text"),
            new Holder(new Point(1, "b")),
            broadcast,
            new Accumulator<>(1, "sum", new LongSum())
        }) {
            assertTrue(unchangeable.isValue(value), () -> String.valueOf(value.getClass()));
        }
        assertTrue(unchangeable.isValue(null));
    }

    private record NoSource() implements Broadcast.Source<String> {
        @Override
        public String value() {
            return "value";
        }

        @Override
        public void destroy() {}
    }

    @Test
    void copiesMutableObjects() {
        Object nested = "bottom";
        for (int i = 0; i < 40; i++) {
            nested = new Holder(nested);
        }
        for (Object value : new Object[] {
            new int[] {1},
            new Object[0],
            new ArrayList<>(),
            List.of(1),
            new BitSet(),
            new Counter(),
            new Holder(new ArrayList<>()),
            Pair.of(1, new int[0]),
            new NotSerialisable(1),
            new Object(),
            nested
        }) {
            assertFalse(unchangeable.isValue(value), () -> String.valueOf(value.getClass()));
        }
    }

    @Test
    void sharesFunctionsWithImmutableState() {
        int number = 1;
        Point point = new Point(1, "a");
        List<Integer> list = new ArrayList<>();
        MapFunction<Integer, Integer> nothing = x -> x;
        MapFunction<Integer, Integer> values = x -> x + number + point.x();
        MapFunction<Integer, Integer> nested = x -> values.apply(x);
        MapFunction<Integer, Boolean> changing = list::add;
        MapFunction<Integer, Boolean> deep = x -> changing.apply(x);
        assertTrue(unchangeable.isFunction(nothing));
        assertTrue(unchangeable.isFunction(values));
        assertTrue(unchangeable.isFunction(nested));
        assertTrue(unchangeable.isFunction(new Adder(3)));
        assertFalse(unchangeable.isFunction(changing));
        assertFalse(unchangeable.isFunction(deep));
        assertFalse(unchangeable.isFunction(new Stateful()));
        assertFalse(unchangeable.isFunction(new WithTransientField()), "a copy would differ");
    }

    @Test
    void opensAFreshCopyForEachAttempt() throws Exception {
        List<Integer> list = new ArrayList<>(List.of(1));
        MapFunction<Integer, List<Integer>> function = number -> {
            list.add(number);
            return list;
        };
        CapturedFunction capture = CapturedFunction.of(function, objects, "function");
        list.add(99);
        List<Integer> before = List.of();
        for (int attempt = 0; attempt < 4; attempt++) {
            @SuppressWarnings("unchecked")
            MapFunction<Integer, List<Integer>> opened =
                    (MapFunction<Integer, List<Integer>>) capture.open(objects, "function");
            List<Integer> after = opened.apply(attempt);
            assertEquals(List.of(1, attempt), after, "as captured, without the changes of earlier attempts");
            assertNotSame(before, after);
            before = after;
        }
    }

    @Test
    void sharesADeserialisedFunctionThatIsImmutable() {
        int two = 2;
        MapFunction<Integer, Integer> plain = number -> number + two;
        CapturedFunction received = CapturedFunction.encoded(objects.write(plain, "function"));
        assertSame(received.open(objects, "function"), received.open(objects, "function"));
    }

    /** Its serialised form differs from it. */
    private record Masked(String secret) implements Serializable {
        private static final long serialVersionUID = 1L;

        @Serial
        private Object writeReplace() {
            return new Masked("*");
        }
    }

    private static class Base {
        final int base;

        Base() {
            this(0);
        }

        Base(int base) {
            this.base = base;
        }
    }

    /** Its base class is not serialised: a copy starts with a default base. */
    private static final class Based extends Base implements MapFunction<Integer, Integer> {
        private static final long serialVersionUID = 1L;

        Based(int base) {
            super(base);
        }

        @Override
        public Integer apply(Integer number) {
            return number + base;
        }
    }

    @Test
    void copiesObjectsWithACustomForm() {
        assertFalse(unchangeable.isValue(new Masked("secret")));
        assertFalse(unchangeable.isFunction(new Based(5)));
        assertFalse(
                unchangeable.isValue(DateTimeFormatter.ISO_LOCAL_DATE.parse("2024-02-29")),
                "not serialisable, so it must not be shared either");
    }

    /** Counts its deserialisations, and can be serialised only before the first. */
    private static final class Read implements Serializable {
        private static final long serialVersionUID = 1L;
        private int times;

        @SuppressWarnings("serial") // deliberately not serialisable
        private transient Object connection = "";

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            times++;
            connection = new Object();
        }

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            if (connection.getClass() != String.class) {
                throw new NotSerializableException("a connection");
            }
            out.defaultWriteObject();
        }
    }

    private static final class Counted implements Serializable {
        private static final long serialVersionUID = 1L;
        private int times;

        @Serial
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            times++;
        }
    }

    @Test
    void deserialisesCapturedValuesFromTheFirstFormForEachAttempt() throws Exception {
        Read read = new Read();
        Counted counted = new Counted();
        for (MapFunction<Integer, Integer> function :
                List.<MapFunction<Integer, Integer>>of(number -> read.times, number -> counted.times)) {
            CapturedFunction capture = CapturedFunction.of(function, objects, "function");
            for (int attempt = 0; attempt < 4; attempt++) {
                @SuppressWarnings("unchecked")
                MapFunction<Integer, Integer> opened =
                        (MapFunction<Integer, Integer>) capture.open(objects, "function");
                assertEquals(1, opened.apply(0), "deserialised once, in every attempt");
            }
        }
    }

    @Test
    void namesTheUnserialisableClassAlthoughTheSearchThrows() {
        Map<Object, Object> hostile = new LinkedHashMap<>();
        hostile.put(
                new Serializable() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String toString() {
                        throw new IllegalStateException("asked for a text");
                    }
                },
                new Object());
        HearthException failure =
                assertThrows(HearthException.class, () -> objects.write(new Holder(hostile), "value"));
        assertEquals("NOT_SERIALIZABLE", failure.code());
    }
}
