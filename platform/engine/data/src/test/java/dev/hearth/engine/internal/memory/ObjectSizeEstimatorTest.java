package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Estimated object sizes, compared with known layouts and with what this JVM allocates. */
class ObjectSizeEstimatorTest {
    private static final ObjectLayout COMPRESSED = new ObjectLayout(12, 4, 16, 8);
    private static final ObjectLayout WIDE = new ObjectLayout(16, 8, 24, 8);

    private static final char[] CHARACTERS = {'a', 'b', 'c'};
    private static final int BATCH = 1_000; // allocations per measurement
    private static final int ROUNDS = 20;

    private final ObjectSizeEstimator sizes = new ObjectSizeEstimator(COMPRESSED);
    private final Object[] allocated = new Object[BATCH]; // so that escape analysis cannot remove the allocations

    private record Point(int x, long y, byte flag) {}

    private record Named(String name, Object value) {}

    @SuppressWarnings("UnusedVariable") // fields exist only to be counted
    private static class Node {
        Object next = this;
        int depth;
    }

    @SuppressWarnings("UnusedVariable")
    private static final class Wide extends Node {
        long number;
    }

    private static final class Counted extends HashMap<String, String> {
        private static final long serialVersionUID = 1L;
        private final long[] counts = new long[4];

        long count() {
            return counts[0];
        }
    }

    @Test
    void countsHeadersAndAlignment() {
        assertEquals(0, sizes.sizeOf(null));
        assertEquals(16, sizes.sizeOf(new Object()));
        assertEquals(32, sizes.sizeOf(new Point(1, 2, (byte) 3)));
        assertEquals(32, new ObjectSizeEstimator(WIDE).sizeOf(new Point(1, 2, (byte) 3)));
        assertEquals(32, sizes.sizeOf(new Wide()));
        assertEquals(40, new ObjectSizeEstimator(WIDE).sizeOf(new Wide()));
        assertEquals(16 + 24, sizes.sizeOf(new byte[20]));
        assertEquals(16 + 8 * 5, sizes.sizeOf(new double[5]));
        assertEquals(48, new ObjectSizeEstimator(WIDE).sizeOf(new String[3]));
    }

    @Test
    void readsTheLayoutFromTheHeapAndTheOptions() {
        assertEquals(COMPRESSED, ObjectLayout.of(1L << 30, List.of("-Xmx1g")));
        assertEquals(new ObjectLayout(12, 8, 16, 8), ObjectLayout.of(1L << 35, List.of()));
        assertEquals(
                new ObjectLayout(12, 4, 16, 16), ObjectLayout.of(1L << 35, List.of("-XX:ObjectAlignmentInBytes=16")));
        assertEquals(new ObjectLayout(12, 8, 16, 8), ObjectLayout.of(1L << 30, List.of("-XX:+UseZGC")));
        assertEquals(
                WIDE, ObjectLayout.of(1L << 30, List.of("-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers")));
    }

    @Test
    void sizesValuesOfTheJdkByRule() {
        assertEquals(48, sizes.sizeOf("abc"));
        assertEquals(24 + 24, sizes.sizeOf("\u20ac\u20ac"));
        assertEquals(24 + 16 + 200, sizes.sizeOf("\u20ac".repeat(100)));
        assertEquals(16, sizes.sizeOf(1_000));
        assertEquals(0, sizes.sizeOf(100), "cached box");
        assertEquals(24, sizes.sizeOf(1_000L));
        assertEquals(24, sizes.sizeOf(1.5));
        assertEquals(40 + 24, sizes.sizeOf(BigInteger.valueOf(1L << 40)));
        assertEquals(40, sizes.sizeOf(new BigDecimal("12.5")));
        assertEquals(40 + 40 + 32, sizes.sizeOf(new BigDecimal("1" + "0".repeat(30))));
        assertEquals(24, sizes.sizeOf(LocalDate.of(2020, 1, 1)));
        assertEquals(72, sizes.sizeOf(LocalDateTime.of(2020, 1, 1, 3, 4, 5)));
        assertEquals(96, sizes.sizeOf(LocalDateTime.of(2020, 1, 1, 3, 4, 5).atZone(ZoneOffset.UTC)));
        assertEquals(32, sizes.sizeOf(new UUID(1, 2)));
        assertEquals(16 + 48, sizes.sizeOf(Optional.of("abc")));
    }

    @Test
    void sizesCollectionsOfTheJdkByRule() {
        List<String> list = new ArrayList<>();
        assertEquals(24, sizes.sizeOf(list));
        for (int i = 0; i < 11; i++) {
            list.add("text-" + (char) ('a' + i));
        }
        assertEquals(24 + 80 + 11 * 48, sizes.sizeOf(list));
        Map<Integer, String> map = new HashMap<>();
        map.put(1_000, "abc");
        assertEquals(48 + 80 + 32 + 16 + 48, sizes.sizeOf(map));
        assertEquals(56 + 80 + 40 + 16 + 48, sizes.sizeOf(new LinkedHashMap<>(map)));
        assertEquals(48 + 40 + 16 + 48, sizes.sizeOf(new TreeMap<>(map)));
        assertEquals(16 + 48 + 80 + 32 + 48, sizes.sizeOf(new HashSet<>(List.of("abc"))));
        assertEquals(24 + 96, sizes.sizeOf(List.of("abc", "abd")));
        assertEquals(24 + 24 + 96 + 8, sizes.sizeOf(Arrays.asList("abc", "abd", "abd")));
        assertEquals(24 + 48, sizes.sizeOf(Collections.nCopies(1_000_000, "abc")));
        assertEquals(24 + 64, sizes.sizeOf(Map.entry(1_000, "abc")));
    }

    @Test
    void readsTheFieldsOfUserClasses() {
        assertEquals(24 + 48, sizes.sizeOf(new Named("abc", null)));
        assertEquals(24 + 48 + 24 + 16, sizes.sizeOf(new Named("abc", new Named(null, 1_000))));
        long[] captured = new long[10];
        Supplier<Object> lambda = () -> captured;
        assertEquals(16 + 96, sizes.sizeOf(lambda));
        Counted counted = new Counted();
        counted.put("abc", "abd");
        assertEquals(0, counted.count());
        assertEquals(48 + 48 + 80 + 32 + 96, sizes.sizeOf(counted), "its field fills an alignment gap");
    }

    @Test
    void countsSharedAndCyclicObjectsOnce() {
        String shared = "abc";
        assertEquals(24 + 48 + 24, sizes.sizeOf(new Named(shared, new Named(shared, null))));
        Node node = new Node();
        assertEquals(24, sizes.sizeOf(node));
        assertEquals(0, sizes.sizeOf(TimeUnit.DAYS));
        assertEquals(0, sizes.sizeOf(ObjectSizeEstimatorTest.class));
        assertEquals(24, sizes.sizeOf(new Named(null, Thread.currentThread())));
    }

    @Test
    void samplesLongArraysAndCollections() {
        Object[] many = new Object[100_000];
        Arrays.setAll(many, i -> "text-" + (100_000 + i));
        assertEquals(16 + 400_000 + 100_000L * 56, sizes.sizeOf(many));
        assertEquals(24 + 400_000 + 16 + 100_000L * 56, sizes.sizeOf(Arrays.asList(many)));
        Object[] nested = new Object[1_000];
        Arrays.setAll(nested, i -> many.clone());
        long expected = 16 + 4_000 + 1_000L * (16 + 400_000) + 100_000L * 56;
        long estimated = sizes.sizeOf(nested);
        assertTrue(estimated >= 1_000L * 400_000 && estimated < 20 * expected, () -> estimated + " of " + expected);
    }

    @Test
    void boundsTheWalkThroughLongChains() {
        Object chain = "end";
        for (int i = 0; i < 1_000_000; i++) {
            chain = new Named(null, chain);
        }
        assertEquals(
                24L * ObjectGraphWalk.OBJECTS_MAX + 24, sizes.sizeOf(chain), "the bound plus one unvisited object");
    }

    @Test
    void survivesCollectionsThatThrow() {
        List<String> broken = new ArrayList<>(List.of("a")) {
            private static final long serialVersionUID = 1L;

            @Override
            public int size() {
                throw new IllegalStateException("not now");
            }
        };
        assertTrue(sizes.sizeOf(broken) >= 24);
    }

    @Test
    void agreesWithWhatThisJvmAllocates() {
        ObjectSizeEstimator here = new ObjectSizeEstimator();
        assertAllocates(here, Object::new);
        assertAllocates(here, () -> new Point(1, 2, (byte) 3));
        assertAllocates(here, () -> new Named(null, null));
        assertAllocates(here, Wide::new);
        assertAllocates(here, () -> new byte[77]);
        assertAllocates(here, () -> new Object[33]);
        assertAllocates(here, () -> new UUID(1, 2));
        assertAllocates(here, () -> new String(CHARACTERS, 0, 3));
        assertAllocates(here, () -> ByteBuffer.allocate(100));
        assertAllocates(here, HashMap::new);
        assertAllocates(here, LinkedHashMap::new);
        assertAllocates(here, TreeMap::new);
        assertAllocates(here, () -> new ArrayList<>());
        assertAllocates(
                here,
                () -> {
                    Map<String, String> map = new HashMap<>();
                    map.put("", "");
                    return map;
                },
                here.sizeOf(""));
        assertAllocates(here, () -> Double.valueOf(1.5));
        assertAllocates(here, () -> LocalDate.ofEpochDay(7));
        assertAllocates(here, () -> BigInteger.valueOf(1L << 40));
        assertAllocates(here, () -> Optional.of(TimeUnit.DAYS));
    }

    private void assertAllocates(ObjectSizeEstimator here, Supplier<Object> maker) {
        assertAllocates(here, maker, 0);
    }

    /**
     * Measures a batch of allocations, several times. The JVM may charge the thread for more than the batch, such as
     * for loading classes, but never for less. So the smallest total, divided by the batch, is exact unless each round
     * costs a byte per allocation more. {@code shared} are the bytes of objects that the new one refers to but does not
     * allocate.
     */
    private void assertAllocates(ObjectSizeEstimator here, Supplier<Object> maker, long shared) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = allocatedBytes();
            for (int i = 0; i < BATCH; i++) {
                allocated[i] = maker.get();
            }
            least = Math.min(least, allocatedBytes() - before);
        }
        assertEquals(
                least / BATCH,
                here.sizeOf(allocated[0]) - shared,
                () -> allocated[0].getClass().getName());
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
