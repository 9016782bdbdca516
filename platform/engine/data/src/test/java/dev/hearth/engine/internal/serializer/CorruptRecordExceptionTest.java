package dev.hearth.engine.internal.serializer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.engine.internal.serializer.UserClassesTest.Custom;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Corrupt records are rejected by one of two exceptions, without large allocations. */
class CorruptRecordExceptionTest {
    private static final long SEED = Long.getLong("hearth.fuzz.seed", 1);
    private static final int MUTANTS = Integer.getInteger("hearth.fuzz.records", 8_000); // per kind of record
    private static final Set<String> CODES = Set.of("NOT_SERIALIZABLE", "CLASS_MISSING");
    private static final long ALLOCATED_MAX = 4L << 20; // bytes, for records of a few hundred

    private final RecordRoundTrip hand = new RecordRoundTrip();

    private static final class Thing implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String name = "name";
        private final boolean flag = true;
        private Integer box = 5;
        private int[] ints = {1, 2};
        private List<String> list = new ArrayList<>(List.of("a"));
        private Thing self = this;

        @Override
        public String toString() {
            return name + flag + box + Arrays.toString(ints) + list + (self == this);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // user programs do that
    private record Row(long at, TimeUnit unit, Object[] cells) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    static Stream<Object> records() {
        Map<String, Object> map = new HashMap<>(Map.of("k", 1, "list", new ArrayList<>(List.of(1L, 2.0))));
        map.put("me", map);
        return Stream.of(
                Pair.of("key", new byte[] {1, 2, 3}),
                new Thing(),
                new Row(5, TimeUnit.DAYS, new Object[] {"x", 'c', null, new long[3]}),
                map,
                new TreeMap<>(Map.of("a", 1, "b", 2)),
                List.of(1, "two", Set.of(3, 4), Map.of(5, 6, 7, 8)),
                new Object[] {Instant.EPOCH, new Row[] {null}, "\u4e2d", new double[] {1}, Arrays.asList(1, 2)},
                new ArrayList<>(List.of(new Custom(1, "x"), new Custom(2, new ArrayList<>(List.of(1))))),
                new Object[] {new Custom(1, new int[] {1, 2, 3}), new HashMap<>(Map.of(1, 2))});
    }

    @ParameterizedTest
    @MethodSource("records")
    void rejectsCorruptRecordsByTwoExceptionsOnly(Object record) {
        byte[] bytes = hand.write(record);
        hand.read(bytes);
        Random random = new Random(SEED);
        int read = 0;
        long before = allocated();
        for (int i = 0; i < MUTANTS; i++) {
            byte[] mutant = mutate(bytes, random);
            RecordInput in = new RecordInput().on(mutant, 0, mutant.length);
            try {
                hand.reader.read(in);
                read++;
                assertTrue(in.position() <= mutant.length);
            } catch (CorruptRecordException expected) {
                assertTrue(expected.getMessage().startsWith("record: "), expected.getMessage());
            } catch (HearthException refused) {
                assertTrue(CODES.contains(refused.code()), refused::toString);
            } catch (RuntimeException | Error other) {
                throw new AssertionError("seed " + SEED + ", mutant " + i + ": " + Arrays.toString(mutant), other);
            }
            long after = allocated();
            assertTrue(after - before < ALLOCATED_MAX, () -> Arrays.toString(mutant) + " took " + after);
            before = after;
        }
        assertTrue(read < MUTANTS);
        hand.read(bytes);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        byte[] mutant = bytes.clone();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(mutant.length);
            switch (random.nextInt(5)) {
                case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> mutant[at] = (byte) random.nextInt();
                case 2 -> mutant[at] = (byte) random.nextInt(TypeTag.CLASS + 8);
                case 3 -> {
                    int length = Math.min(5, mutant.length - at); // a huge size
                    Arrays.fill(mutant, at, at + length, (byte) 0xFF);
                    mutant[at + length - 1] = 7;
                }
                default -> mutant = Arrays.copyOf(mutant, Math.max(1, at));
            }
        }
        return mutant;
    }

    @Test
    void rejectsRandomBytes() {
        Random random = new Random(SEED);
        for (int i = 0; i < 4 * MUTANTS; i++) {
            byte[] made = new byte[1 + random.nextInt(40)];
            for (int at = 0; at < made.length; at++) {
                made[at] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(TypeTag.CLASS + 4));
            }
            try {
                hand.reader.read(new RecordInput().on(made, 0, made.length));
            } catch (CorruptRecordException expected) {
                assertTrue(expected.getMessage().startsWith("record: "), expected.getMessage());
            } catch (HearthException refused) {
                assertTrue(CODES.contains(refused.code()), refused::toString);
            } catch (RuntimeException | Error other) {
                throw new AssertionError("seed " + SEED + ", case " + i + ": " + Arrays.toString(made), other);
            }
        }
    }

    @Test
    void rejectsUnboundedNesting() {
        byte[] nested = new byte[1 << 20];
        for (int i = 0; i < nested.length; i += 2) {
            nested[i] = TypeTag.ARRAY_LIST;
            nested[i + 1] = 1;
        }
        CorruptRecordException failure = assertThrows(CorruptRecordException.class, () -> hand.read(nested));
        assertTrue(failure.getMessage().contains("nested deeper"), failure.getMessage());
    }

    @Test
    void boundsTheElementsDeclaredInNestedArrays() {
        RecordOutput out = new RecordOutput(16);
        int arrays = 900;
        int elements = 60_000;
        for (int i = 0; i < arrays; i++) {
            out.writeByte(TypeTag.OBJECTS);
            out.writeSize(elements);
        }
        out.require(2 * elements);
        byte[] bytes = Arrays.copyOf(out.array(), out.position() + elements + arrays);
        long before = allocated();
        assertThrows(CorruptRecordException.class, () -> hand.read(bytes));
        assertTrue(allocated() - before < ALLOCATED_MAX);
    }

    @Test
    void rejectsAValueThatDoesNotFitItsField() {
        byte[] bytes = hand.write(new Thing());
        byte[] text = "name".getBytes(StandardCharsets.ISO_8859_1);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("name") - 2;
        assertEquals(TypeTag.LATIN_TEXT, bytes[at]);
        assertEquals(text.length, bytes[at + 1]);
        bytes[at] = TypeTag.BYTES;
        CorruptRecordException failure = assertThrows(CorruptRecordException.class, () -> hand.read(bytes));
        assertTrue(failure.getMessage().contains("ClassCastException"), failure.getMessage());
    }

    @Test
    void rejectsUnknownClassNumbers() {
        byte[] bytes = {(byte) TypeTag.FURTHER_CLASS, 5};
        assertThrows(CorruptRecordException.class, () -> hand.read(bytes));
        byte[] negative = {(byte) TypeTag.FURTHER_CLASS, -1, -1, -1, -1, 15};
        assertThrows(CorruptRecordException.class, () -> hand.read(negative));
        assertThrows(CorruptRecordException.class, () -> hand.read(new byte[0]));
        assertThrows(CorruptRecordException.class, () -> hand.read(new byte[] {TypeTag.REFERENCE, 0}));
    }
}
