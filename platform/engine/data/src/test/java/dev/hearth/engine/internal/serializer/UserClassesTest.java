package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.user.Interval;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** User classes: by their fields if they are just Serializable, otherwise by their custom form. */
class UserClassesTest {
    private final RecordRoundTrip hand = new RecordRoundTrip();

    /** A superclass that is not serialisable: its constructor runs, and its fields are not serialised. */
    static class Base {
        static int made;
        int unwritten = 1;

        Base() {
            made++;
            unwritten = 42;
        }
    }

    static class Middle extends Base implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int fixed;
        protected String name;
        transient int lost = 9;

        Middle(int fixed, String name) {
            this.fixed = fixed;
            this.name = name;
        }
    }

    static final class Lower extends Middle {
        private static final long serialVersionUID = 1L;
        private static final List<String> SHARED = new ArrayList<>();
        private final int fixed; // hides the field of the superclass
        private Object anything;

        Lower(int above, int fixed, String name, Object anything) {
            super(above, name);
            this.fixed = fixed;
            this.anything = anything;
            SHARED.add(name);
        }

        List<Object> seen() {
            return Arrays.asList(super.fixed, fixed, name, anything, lost, unwritten);
        }
    }

    /** Fields of every primitive type, final and not, and of many reference types. */
    static class Wide implements Serializable {
        private static final long serialVersionUID = 1L;
        private static int constructed;
        boolean flag = true;
        byte tiny = -1;
        short small = -2;
        char letter = '\uFFFF';
        int number = Integer.MIN_VALUE;
        long large = Long.MIN_VALUE;
        float real = Float.MIN_VALUE;
        double exact = -0.0;
        final boolean finalFlag;
        final byte finalTiny;
        final short finalSmall;
        final char finalLetter;
        final int finalNumber;
        final long finalLarge;
        final float finalReal;
        final double finalExact;
        volatile Integer box = 5;
        final Long finalBox = 1L << 50;
        String text = "\u4e2d";
        final List<String> list = new ArrayList<>(List.of("a"));
        int[][] grid = {{1}, {2, 3}};
        Inner[] inners = {new Inner(1), null};
        Map<String, Inner> map = Map.of("k", new Inner(2));
        Comparable<?> face = "face";
        ApplicationRecordFormatTest.Sign sign = ApplicationRecordFormatTest.Sign.PLUS;
        Object nothing;

        Wide(int seed) {
            constructed++;
            finalFlag = seed % 2 != 0;
            finalTiny = (byte) seed;
            finalSmall = (short) seed;
            finalLetter = (char) seed;
            finalNumber = seed;
            finalLarge = seed * 1_000_000_007L;
            finalReal = seed / 3f;
            finalExact = seed / 3.0;
        }

        private static final class Inner implements Serializable {
            private static final long serialVersionUID = 1L;
            private final int value;

            Inner(int value) {
                this.value = value;
            }

            @Override
            public boolean equals(Object other) {
                return other instanceof Inner inner && inner.value == value;
            }

            @Override
            public int hashCode() {
                return value;
            }
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // user programs do that
    private record Measured(boolean flag, String unit, double value, byte[] raw, long at, Object more, char c, float f)
            implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private record Checked(int from, int to) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** A class with a custom serialised form. */
    static final class Custom implements Serializable {
        private static final long serialVersionUID = 1L;
        transient int doubled;
        Object held;

        Custom(int doubled, Object held) {
            this.doubled = doubled;
            this.held = held;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(doubled * 2);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            doubled = in.readInt();
        }
    }

    static final class Single implements Serializable {
        private static final long serialVersionUID = 1L;
        static final Single ONE = new Single();

        private Object readResolve() {
            return ONE;
        }
    }

    static final class Replaced implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object writeReplace() {
            return "replaced";
        }
    }

    /** Public, as Externalizable requires. */
    public static final class External implements Externalizable {
        private static final long serialVersionUID = 1L;
        private int value;

        public External() {}

        External(int value) {
            this.value = value;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(value + 1);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            value = in.readInt();
        }
    }

    static final class Holder implements Serializable {
        private static final long serialVersionUID = 1L;
        Object service;

        Holder(Object service) {
            this.service = service;
        }
    }

    @Test
    void roundTripsInheritedFieldsWithoutRunningConstructors() {
        Lower lower = new Lower(1, 2, "n", List.of(3));
        int made = Base.made;
        int constructed = Lower.SHARED.size();
        Lower back = (Lower) hand.copy(lower);
        assertEquals(Arrays.asList(1, 2, "n", List.of(3), 0, 42), back.seen());
        assertEquals(made + 1, Base.made);
        assertEquals(constructed, Lower.SHARED.size());
        assertEquals(Arrays.asList(7, 8, null, null, 0, 42), ((Lower) hand.copy(new Lower(7, 8, null, null))).seen());
    }

    @Test
    void roundTripsFieldsOfEveryType() {
        Wide wide = new Wide(-77);
        int constructed = Wide.constructed;
        Wide back = (Wide) hand.copy(wide);
        assertEquals(constructed, Wide.constructed);
        assertEquals(describe(wide), describe(back));
        assertTrue(Arrays.deepEquals(wide.grid, back.grid));
        assertArrayEquals(wide.inners, back.inners);
    }

    private static List<Object> describe(Wide wide) {
        return Arrays.asList(
                List.of(wide.flag, wide.tiny, wide.small, wide.letter, wide.number, wide.large, wide.real, wide.exact),
                List.of(wide.finalFlag, wide.finalTiny, wide.finalSmall, wide.finalLetter, wide.finalNumber),
                List.of(wide.finalLarge, wide.finalReal, wide.finalExact, wide.box, wide.finalBox, wide.text),
                Arrays.asList(wide.list, wide.map, wide.face, wide.sign, wide.nothing));
    }

    @Test
    void createsRecordsByTheirConstructors() {
        Measured back = (Measured) hand.copy(new Measured(true, "m", 1.5, new byte[] {1}, -1, List.of(1), 'c', 2f));
        assertArrayEquals(new byte[] {1}, back.raw);
        assertEquals(
                List.of(true, "m", 1.5, -1L, List.of(1), 'c', 2f),
                List.of(back.flag, back.unit, back.value, back.at, back.more, back.c, back.f));
        Measured empty = (Measured) hand.copy(new Measured(false, null, 0, null, 0, null, '\0', 0));
        assertNull(empty.raw);

        byte[] bytes = hand.write(new Interval(1, 2));
        bytes[1] = 100;
        HearthException failure = assertThrows(HearthException.class, () -> hand.read(bytes));
        assertEquals("NOT_SERIALIZABLE", failure.code());
        assertTrue(failure.getMessage().contains("Interval.java"), failure.getMessage());
    }

    @Test
    void leavesCustomFormsToJavaSerialisation() throws Exception {
        Custom custom = (Custom) hand.copy(new Custom(4, "held"));
        assertEquals(8, custom.doubled);
        assertEquals("held", custom.held);
        assertSame(Single.ONE, hand.copy(Single.ONE));
        assertEquals("replaced", hand.copy(new Replaced()));
        assertEquals(6, ((External) hand.copy(new External(5))).value);
        assertEquals(6, ((External) ((Pair<?, ?>) hand.copy(Pair.of(new External(5), 1))).key()).value);

        int[] captured = {40};
        @SuppressWarnings("unchecked")
        Pair<String, MapFunction<Integer, Integer>> pair = (Pair<String, MapFunction<Integer, Integer>>)
                hand.copy(Pair.of("f", (MapFunction<Integer, Integer>) number -> number + captured[0]));
        assertEquals(42, pair.value().apply(2));
        IllegalStateException thrown =
                (IllegalStateException) hand.copy(new IllegalStateException("why", new ArithmeticException("because")));
        assertEquals("why", thrown.getMessage());
        assertInstanceOf(ArithmeticException.class, thrown.getCause());
    }

    @Test
    void namesTheUnserialisableClassAndLeavesTheOutputUnchanged() {
        RecordOutput out = new RecordOutput(4);
        out.writeInt(7);
        for (Object record : List.of(
                new Thread(),
                new Holder(new Thread()),
                new ArrayList<>(List.of(1, new Holder(new Thread()))),
                Pair.of(new Custom(1, new Thread()), 1))) {
            HearthException failure = assertThrows(HearthException.class, () -> hand.writer.write(record, out));
            assertEquals("NOT_SERIALIZABLE", failure.code());
            assertTrue(failure.getMessage().contains("java.lang.Thread"), failure.getMessage());
            assertEquals(4, out.position());
        }
        HearthException failure =
                assertThrows(HearthException.class, () -> hand.write(new Holder(new Holder(new Object()))));
        assertTrue(failure.getMessage().contains("Holder.service"), failure.getMessage());
        assertEquals("after", hand.copy("after"));
    }

    static List<Object> values() {
        return List.of(
                new Wide(3),
                new Lower(1, 2, "n", new Holder(null)),
                new Measured(true, "m", 1.5, new byte[] {1}, -1, List.of(1), 'c', 2f),
                new Checked(1, 2));
    }

    /** The reflective serializer produces and reads the same bytes as the generated one. */
    @ParameterizedTest
    @MethodSource("values")
    void writesTheSameBytesByReflection(Object value) {
        FieldLayout layout = FieldLayout.of(value.getClass());
        Object codec = FieldCodecGenerator.of(layout, value instanceof Lower);
        assertNotNull(codec, "supported on this platform");
        UserObjectSerializer objects = new UserObjectSerializer(getClass().getClassLoader());
        TypeSerializerRegistry serializers = new TypeSerializerRegistry(objects, new ClassIdTable());
        assertEquals(
                "GeneratedSerializer",
                serializers.of(value.getClass()).getClass().getSimpleName());
        byte[] generated = write(serializers, objects, value);

        TypeSerializer reflected =
                ReflectiveSerializer.of(serializers.of(value.getClass()).code(), layout, maker(value));
        assertNotNull(reflected);
        RecordFormat.Reader reader =
                new RecordReader(code -> code == reflected.code() ? reflected : serializers.at(code), objects);
        Object back = RecordRoundTrip.read(reader, generated);
        assertArrayEquals(generated, write(serializers, objects, back));

        RecordOutput out = new RecordOutput(16);
        new RecordWriter(
                        type -> type == value.getClass() ? reflected : serializers.of(type),
                        objects,
                        RecordOutput.BYTES_MAX)
                .write(value, out);
        assertArrayEquals(generated, Arrays.copyOf(out.array(), out.position()));
    }

    private static Constructor<?> maker(Object value) {
        return value instanceof Lower ? FieldSerializers.constructor(Lower.class) : null;
    }

    private static byte[] write(TypeSerializerRegistry serializers, UserObjectSerializer objects, Object value) {
        RecordOutput out = new RecordOutput(16);
        new RecordWriter(serializers::of, objects, RecordOutput.BYTES_MAX).write(value, out);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Changes the list that contains it while it is written. */
    private static final class Changing implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // not serialised
        private final transient List<Object> list;

        private final boolean adds;

        Changing(List<Object> list, boolean adds) {
            this.list = list;
            this.adds = adds;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            if (adds) {
                list.add(1);
            } else {
                list.remove(0);
            }
        }
    }

    @Test
    void rejectsACollectionThatChangesItsSizeMeanwhile() {
        for (boolean adds : new boolean[] {true, false}) {
            List<Object> list = new ArrayList<>(List.of("first"));
            list.add(new Changing(list, adds));
            HearthException failure = assertThrows(HearthException.class, () -> hand.write(list), "adds: " + adds);
            assertEquals("NOT_SERIALIZABLE", failure.code());
            assertTrue(failure.getMessage().contains("changed its size"), failure.getMessage());
        }
    }

    @Test
    void appliesTheClassFilter() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> new RecordRoundTrip(new ClassLoader(ClassLoader.getPlatformClassLoader()) {})
                        .write(new Checked(1, 2)));
        assertEquals("NOT_SERIALIZABLE", failure.code());
        assertTrue(failure.getMessage().contains("refused"), failure.getMessage());
        HearthException named = assertThrows(HearthException.class, () -> {
            RecordFormat.Reader reader = hand.records.reader(List.of("javax.swing.JLabel 0"));
            reader.read(new RecordInput().on(new byte[] {TypeTag.CLASS}, 0, 1));
        });
        assertEquals("NOT_SERIALIZABLE", named.code());
    }

    @Test
    void readsClassNumbersOfAnotherProcess() {
        RecordRoundTrip other = new RecordRoundTrip();
        other.write(new Checked(1, 1));
        byte[] bytes = other.write(
                new ArrayList<>(List.of(new Checked(1, 2), new Measured[0], ApplicationRecordFormatTest.Sign.NONE)));
        hand.write(ApplicationRecordFormatTest.Sign.NONE); // assigns other numbers
        List<?> back = (List<?>) RecordRoundTrip.read(hand.records.reader(other.records.names()), bytes);
        assertEquals(new Checked(1, 2), back.get(0));
        assertInstanceOf(Measured[].class, back.get(1));
        assertSame(ApplicationRecordFormatTest.Sign.NONE, back.get(2));

        List<String> changed = new ArrayList<>(other.records.names());
        changed.replaceAll(name -> name + "0");
        HearthException failure =
                assertThrows(HearthException.class, () -> RecordRoundTrip.read(hand.records.reader(changed), bytes));
        assertEquals("NOT_SERIALIZABLE", failure.code());
        assertTrue(failure.getMessage().contains(Checked.class.getName()), failure.getMessage());
        assertThrows(CorruptRecordException.class, () -> RecordRoundTrip.read(hand.records.reader(List.of()), bytes));
        List<String> missing = Collections.nCopies(9, "no.such.Type 1");
        assertEquals(
                "CLASS_MISSING",
                assertThrows(HearthException.class, () -> RecordRoundTrip.read(hand.records.reader(missing), bytes))
                        .code());
    }

    /** Processes that meet classes in different orders, or first when they read them, use the same numbers. */
    @Test
    void processesOfOneApplicationShareClassNumbers() {
        ClassIdTable numbers = new ClassIdTable();
        RecordRoundTrip here = new RecordRoundTrip(numbers);
        RecordRoundTrip there = new RecordRoundTrip(numbers);
        here.write(new Checked(1, 1));
        byte[] swapped = there.write(
                new ArrayList<>(List.of(new Interval(1, 2), ApplicationRecordFormatTest.Sign.NONE, new Checked(1, 2))));
        byte[] own = here.write(new ArrayList<>(List.of(new Measured[0], new Checked(1, 2))));
        List<?> fromThere = (List<?>) here.read(swapped);
        assertEquals(new Interval(1, 2), fromThere.get(0));
        assertSame(ApplicationRecordFormatTest.Sign.NONE, fromThere.get(1));
        assertEquals(new Checked(1, 2), fromThere.get(2));
        assertArrayEquals(swapped, here.write(fromThere), "bytes of one are bytes of the other");
        assertInstanceOf(Measured[].class, ((List<?>) there.read(own)).get(0));

        RecordRoundTrip third = new RecordRoundTrip(numbers);
        byte[] late = third.write(new Checked(3, 4));
        List<String> names = third.records.names();
        assertEquals(new Checked(3, 4), RecordRoundTrip.read(hand.records.reader(names), late), "with gaps: " + names);
        assertThrows(CorruptRecordException.class, () -> here.read(new byte[] {TypeTag.CLASS + 9}));
    }
}
