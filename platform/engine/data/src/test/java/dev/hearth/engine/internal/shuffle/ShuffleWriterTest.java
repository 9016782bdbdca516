package dev.hearth.engine.internal.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthException;
import dev.hearth.api.Partitioner;
import dev.hearth.api.RangePartitioner;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.memory.TaskMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares random pairs, partitioned by reducer, with plain lists: in memory or on disk, whenever they are
 * spilled or evicted. A failure names its seed.
 */
@Timeout(120)
class ShuffleWriterTest {
    private static final int SHUFFLE = 3;
    private static final int MAP = 0;
    private static final long AMPLE_BYTES = 64 << 20;
    private static final int SEEDS = 12;
    private static final int SPILLS_ONE_IN = 700;

    @TempDir
    private Path directory;

    /** Kinds of pairs. */
    enum Kind {
        INTEGERS,
        LONG_DOUBLE,
        STRING_INTEGER,
        RECORDS,
        LONG_BYTES,
        LISTS,
        /** Numbers first, then values of any class. */
        TURNING,
        NULLS;

        record Point(int x, String name) implements java.io.Serializable {}

        @Nullable
        Object key(Random random, int at) {
            int number = random.nextInt(1000);
            return switch (this) {
                case INTEGERS -> number;
                case LONG_DOUBLE, LONG_BYTES -> (long) number << 33;
                case STRING_INTEGER, LISTS -> "k" + number;
                case RECORDS -> new Point(number, "p");
                case TURNING -> at < 500 ? (Object) number : at < 700 ? "k" + number : new ArrayList<>(List.of(number));
                case NULLS -> number % 3 == 0 ? null : (Object) number;
            };
        }

        @Nullable
        Object value(Random random, int at) {
            return switch (this) {
                case INTEGERS, STRING_INTEGER -> random.nextInt();
                case LONG_DOUBLE -> random.nextDouble();
                case RECORDS -> new Point(at, null);
                case LONG_BYTES -> {
                    byte[] bytes = new byte[random.nextInt(120)];
                    random.nextBytes(bytes);
                    yield bytes;
                }
                case LISTS -> new ArrayList<>(List.of(at, "v"));
                case TURNING -> at < 300 ? (Object) (long) at : "v" + at;
                case NULLS -> random.nextBoolean() ? null : (Object) 1.5;
            };
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    void keepsTheOrderOfEachReducerInMemoryAndOnDisk(Kind kind) throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            CompressionCodec[] codecs = CompressionCodec.values();
            CompressionCodec codec = codecs[random.nextInt(codecs.length)];
            String which = kind + " seed " + seed + " " + codec;
            long memory = random.nextBoolean() ? AMPLE_BYTES : 96 << 10;
            try (TestingShuffleServices parts = new TestingShuffleServices(memory, directory, codec)) {
                check(kind, random, which, parts);
            }
        }
    }

    private static void check(Kind kind, Random random, String which, TestingShuffleServices parts) throws Exception {
        int readers = List.of(1, 3, 17).get(random.nextInt(3));
        int count = random.nextInt(20_000);
        ShuffleStore store = new ShuffleStore(parts);
        store.open(SHUFFLE, 1, readers);
        TaskMemory memory = parts.task();
        ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, readers, Optional.empty());
        List<List<@Nullable Object>> expected = write(kind, random, readers, count, writer);
        MapOutput output = writer.finish();
        writer.close();
        assertEquals(0, memory.close(), which);
        assertEquals(0, parts.memory().executionUsed(), which);
        store.publish(output);
        assertEquals(count, output.totalRecords(), which);
        List<ShuffleSegment> before = new ArrayList<>();
        for (int reader = 0; reader < readers; reader++) {
            before.add(store.read(SHUFFLE, reader).get(0));
            same(expected.get(reader), parts.pairs(before.get(reader)), which);
        }
        movedWhileRead(store, parts, before.get(readers - 1), expected.get(readers - 1), which);
        long tables = Integer.BYTES * (readers + (ShuffleWriter.FILES_MAX + 1) * (readers + 1L));
        assertTrue(parts.memory().storageUsed() <= tables, which + ": its tables alone stay");
        for (int reader = 0; reader < readers; reader++) {
            ShuffleSegment block = before.get(reader);
            assertEquals(expected.get(reader).size() / 2, block.records(), which);
            assertTrue(block.records() == 0 || !block.inMemory(), which);
            same(expected.get(reader), parts.pairs(block), which);
        }
        store.remove(SHUFFLE);
        assertEquals(List.of(), parts.segments(), which);
        assertEquals(0, parts.files().bytes(), which);
    }

    /**
     * Writes pairs one by one or in columns, with or without spills; returns the pairs that each reducer must
     * receive.
     */
    private static List<List<@Nullable Object>> write(
            Kind kind, Random random, int readers, int count, ShuffleWriter writer) {
        List<List<@Nullable Object>> expected = new ArrayList<>();
        for (int reader = 0; reader < readers; reader++) {
            expected.add(new ArrayList<>());
        }
        boolean spills = random.nextBoolean();
        boolean columns = random.nextBoolean();
        List<@Nullable Object> batch = new ArrayList<>();
        HashPartitioner hashes = new HashPartitioner(readers);
        for (int at = 0; at < count; at++) {
            Object key = kind.key(random, at);
            Object value = kind.value(random, at);
            if (columns) {
                batch.add(key);
                batch.add(value);
            } else {
                writer.pair(key, value);
            }
            if (batch.size() > random.nextInt(2_000)) {
                columns(batch, writer);
            }
            expected.get(hashes.partition(key)).addAll(Arrays.asList(key, value));
            if (spills && random.nextInt(SPILLS_ONE_IN) == 0) {
                writer.spill(1);
            }
        }
        columns(batch, writer);
        return expected;
    }

    /** Passes pairs in typed columns. */
    private static void columns(List<@Nullable Object> batch, ShuffleWriter writer) {
        int size = batch.size() / 2;
        Column[] both = new Column[2];
        for (int side = 0; side < 2; side++) {
            @Nullable Object[] values = new @Nullable Object[size];
            for (int at = 0; at < size; at++) {
                values[at] = batch.get(2 * at + side);
            }
            both[side] = column(values);
        }
        writer.columns(both[0], both[1]);
        batch.clear();
    }

    private static Column column(@Nullable Object[] values) {
        if (Arrays.stream(values).allMatch(Integer.class::isInstance)) {
            return new Column.Ints(
                    Arrays.stream(values).mapToInt(Integer.class::cast).toArray(), values.length);
        }
        if (Arrays.stream(values).allMatch(Long.class::isInstance)) {
            return new Column.Longs(
                    Arrays.stream(values).mapToLong(Long.class::cast).toArray(), values.length);
        }
        if (Arrays.stream(values).allMatch(Double.class::isInstance)) {
            return new Column.Doubles(
                    Arrays.stream(values).mapToDouble(Double.class::cast).toArray(), values.length);
        }
        return new Column.Objects(values, values.length);
    }

    private static void movedWhileRead(
            ShuffleStore store,
            TestingShuffleServices parts,
            ShuffleSegment block,
            List<@Nullable Object> expected,
            String which)
            throws Exception {
        List<@Nullable Object> read = new ArrayList<>();
        try (ShuffleSegment.Cursor cursor = block.open(new LazyRecordReader(parts::records))) {
            cursor.send(TestingShuffleServices.into(read));
            long kept = parts.memory().storageUsed();
            long freed = store.evict(Long.MAX_VALUE);
            assertEquals(kept - freed, parts.memory().storageUsed(), which);
            while (cursor.send(TestingShuffleServices.into(read))) {
                assertNotNull(read);
            }
        }
        same(expected, read, which);
    }

    static void same(List<@Nullable Object> expected, List<@Nullable Object> read, String which) {
        assertEquals(expected.size(), read.size(), which);
        for (int at = 0; at < expected.size(); at++) {
            if (expected.get(at) instanceof byte[] bytes) {
                assertArrayEquals(bytes, (byte[]) read.get(at), which);
            } else {
                assertEquals(expected.get(at), read.get(at), which);
            }
        }
    }

    @Test
    void usesLittleMemoryForThousandsOfSmallReducers() throws Exception {
        int readers = 2_000;
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, readers);
            for (Object value : List.of(1, new byte[] {1, 2, 3})) {
                TaskMemory memory = parts.task();
                ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, readers, Optional.empty());
                for (int at = 0; at < 3 * readers; at++) {
                    writer.pair(at, value);
                }
                MapOutput output = writer.finish();
                assertEquals(0, memory.close());
                assertTrue(memory.peak() < readers * 400L, "peak " + memory.peak());
                assertTrue(
                        parts.memory().storageUsed() < readers * 300L,
                        "kept " + parts.memory().storageUsed());
                assertEquals(3L * readers, output.totalRecords());
                output.delete();
                assertEquals(0, parts.memory().storageUsed());
            }
        }
    }

    @Test
    void mergesManySpillsIntoOneFile() throws Exception {
        int readers = 5;
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, readers);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, readers, Optional.empty());
            for (int at = 0; at < 100 * (ShuffleWriter.FILES_MAX + 1); at++) {
                writer.pair(at, at);
                if (at % 100 == 99) {
                    writer.spill(1);
                }
            }
            assertEquals(ShuffleWriter.FILES_MAX + 1, parts.segments().size());
            assertTrue(memory.memorySpilled() > memory.diskSpilled(), "arrays have room left, files have none");
            assertTrue(memory.diskSpilled() > 0
                    && memory.diskSpilled() < parts.files().bytes());
            MapOutput output = writer.finish();
            assertEquals(1, parts.segments().size());
            assertEquals(0, memory.close());
            store.publish(output);
            int records = 0;
            for (int reader = 0; reader < readers; reader++) {
                int last = -1;
                List<@Nullable Object> pairs =
                        parts.pairs(store.read(SHUFFLE, reader).get(0));
                for (int at = 0; at < pairs.size(); at += 2) {
                    assertTrue((Integer) pairs.get(at) > last);
                    last = (Integer) pairs.get(at);
                    records++;
                }
            }
            assertEquals(output.totalRecords(), records);
        }
    }

    @Test
    void spillsAtTheThresholdThoughThereIsMemory() throws Exception {
        try (TestingShuffleServices parts =
                new TestingShuffleServices(AMPLE_BYTES, directory, new ShuffleSettings(100, 20_000))) {
            ShuffleStore store = new ShuffleStore(parts);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 2, Optional.empty());
            for (int at = 0; at < 350; at++) {
                writer.pair(at, at);
            }
            assertEquals(3, parts.segments().size());
            for (int at = 0; at < 40; at++) {
                writer.pair(at, new byte[1_000]);
            }
            assertTrue(parts.segments().size() > 4, "by bytes");
            assertTrue(memory.peak() <= 20_000, "peak " + memory.peak());
            writer.close();
            assertEquals(0, memory.close());
        }
    }

    @Test
    void namesTheCorruptSpillFile() throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            TaskMemory memory = parts.task();
            try (ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 2, Optional.empty())) {
                for (int at = 0; at <= ShuffleWriter.FILES_MAX; at++) {
                    writer.pair(at, at);
                    writer.spill(1);
                }
                Path file = parts.segments().get(3);
                ShuffleStoreTest.Damage.FLIPPED.happen(file);
                String told =
                        assertThrows(CorruptFileException.class, writer::finish).getMessage();
                assertTrue(told.contains(file.toString()), told);
            }
            assertEquals(0, memory.close());
            assertEquals(List.of(), parts.segments());
        }
    }

    @Test
    void freesEverythingWhenItIsClosed() throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            TaskMemory memory = parts.task();
            try (ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 2, Optional.empty())) {
                for (int at = 0; at < 1_000; at++) {
                    writer.pair("k" + at, new byte[at]);
                }
                writer.spill(1);
                writer.pair("more", "more");
                assertEquals(1, parts.segments().size());
            }
            assertEquals(0, memory.close());
            assertEquals(List.of(), parts.segments());
        }
    }

    @Test
    void refusesArrayKeysAndInvalidPartitions() {
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            Partitioner wrong = new Wrong();
            ShuffleWriter writer = new ShuffleWriter(store, parts.task(), SHUFFLE, MAP, 3, Optional.of(wrong));
            String outside = assertThrows(HearthException.class, () -> writer.pair("key", 1))
                    .getMessage();
            assertTrue(outside.contains("partition 3") && outside.contains("0 to 2"), outside);
            String array = assertThrows(HearthException.class, () -> writer.pair(new int[] {1}, 1))
                    .getMessage();
            assertTrue(array.contains("an array, int[]"), array);
        }
    }

    private static final class Wrong implements Partitioner {
        private static final long serialVersionUID = 1L;

        @Override
        public int partitions() {
            return 3;
        }

        @Override
        public int partition(@Nullable Object key) {
            return 3;
        }
    }

    @Test
    void findsRangesLikeTheirPartitioner() {
        Random random = new Random(5);
        List<List<? extends Comparable<?>>> bounds = List.of(
                List.of(-5, 0, 0, 12), List.of(Long.MIN_VALUE, 7L, 1L << 40), List.of("b", "k", "k", "t"), List.of());
        for (List<? extends Comparable<?>> some : bounds) {
            for (boolean descending : new boolean[] {false, true}) {
                RangePartitioner<Object> ranges = new RangePartitioner<>(some, Optional.empty(), descending);
                PartitionSelector routing = PartitionSelector.of(Optional.of(ranges), some.size() + 1);
                for (int at = 0; at < 300; at++) {
                    Object key = at == 0
                            ? null
                            : some.isEmpty() || some.get(0) instanceof Integer
                                    ? (Object) (random.nextInt(30) - 10)
                                    : some.get(0) instanceof Long
                                            ? (Object) (random.nextLong() >> random.nextInt(64))
                                            : String.valueOf((char) ('a' + random.nextInt(26)));
                    assertEquals(ranges.partition(key), routing.reducer(key), ranges + " of " + key);
                    int[] routed = new int[1];
                    routing.reducers(column(new @Nullable Object[] {key}), 0, 1, routed);
                    assertEquals(ranges.partition(key), routed[0], ranges + " of a column with " + key);
                }
            }
        }
    }

    @ParameterizedTest(name = "in columns: {0}")
    @ValueSource(booleans = {false, true})
    void countsTheBoxesOfNumbersOfSeveralClasses(boolean inColumns) throws Exception {
        long pairs = 50_000;
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 3, Optional.empty());
            for (int at = 0; at < pairs; at += 2) {
                if (inColumns) {
                    writer.columns(new Column.Ints(new int[] {at + 1000}, 1), new Column.Doubles(new double[] {at}, 1));
                    writer.columns(
                            new Column.Longs(new long[] {at + 1000}, 1), new Column.Doubles(new double[] {at}, 1));
                } else {
                    writer.pair(at + 1000, (double) at);
                    writer.pair(at + 1000L, (double) at);
                }
            }
            long most = memory.peak();
            MapOutput output = writer.finish();
            assertTrue(most > pairs * (4 + 8 + 16L), "bytes " + most);
            assertTrue(most < pairs * 3L * (4 + 8 + 16L), "bytes " + most);
            assertTrue(output.totalBytes() > pairs * (4 + 8 + 16L), "bytes " + output.totalBytes());
            output.delete();
            assertEquals(0, memory.close());
            assertEquals(0, parts.memory().storageUsed());
        }
    }

    @Test
    void reservesMemoryForObjectsAgainAfterASpill() throws Exception {
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory)) {
            ShuffleStore store = new ShuffleStore(parts);
            TaskMemory memory = parts.task();
            try (ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 2, Optional.empty())) {
                long before = reserved(parts, writer);
                writer.spill(1);
                assertTrue(parts.memory().executionUsed() < before / 2, "released");
                long after = reserved(parts, writer);
                assertTrue(after > before * 3 / 4, () -> after + " bytes after a spill, " + before + " before it");
            }
            assertEquals(0, memory.close());
        }
    }

    /** Writes pairs of texts; returns the memory that the task then has. */
    private static long reserved(TestingShuffleServices parts, ShuffleWriter writer) {
        for (int at = 0; at < 100_000; at++) {
            writer.pair("a key of some letters " + at, "a value of some letters " + at);
        }
        return parts.memory().executionUsed();
    }

    @Test
    void spillsRequiredMemoryToo() throws Exception {
        ShuffleSettings early = new ShuffleSettings(Integer.MAX_VALUE, 64);
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, directory, early)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 1);
            TaskMemory memory = parts.task();
            ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, MAP, 1, Optional.empty());
            for (int at = 0; at < 200; at++) {
                writer.pair(at, at);
            }
            assertTrue(memory.peak() < 500, "bytes " + memory.peak());
            store.publish(writer.finish());
            assertEquals(400, parts.pairs(store.read(SHUFFLE, 0).get(0)).size());
            assertEquals(0, memory.close());
        }
    }
}
