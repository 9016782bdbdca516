package dev.hearth.engine.internal.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.spi.shuffle.FileSegment;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Life of map outputs: publication, eviction, corruption and removal. */
@Timeout(60)
@ParameterizedClass(name = "{0}")
@EnumSource(CompressionCodec.class)
class ShuffleStoreTest {
    private static final int SHUFFLE = 1;
    private static final int PAIRS = 20_000;
    private static final long AMPLE_BYTES = 64 << 20;

    @Parameter
    CompressionCodec codec;

    @TempDir
    private Path directory;

    private static MapOutput output(ShuffleStore store, TestingShuffleServices parts, int map, int pairs)
            throws Exception {
        return output(store, parts, SHUFFLE, map, pairs);
    }

    private static MapOutput output(ShuffleStore store, TestingShuffleServices parts, int shuffle, int map, int pairs)
            throws Exception {
        TaskMemory memory = parts.task();
        ShuffleWriter writer = new ShuffleWriter(store, memory, shuffle, map, 2, Optional.empty());
        for (int at = 0; at < pairs; at++) {
            writer.pair(at, map);
        }
        MapOutput output = writer.finish();
        assertEquals(0, memory.close());
        return output;
    }

    private TestingShuffleServices parts(long bytes) {
        return new TestingShuffleServices(bytes, directory, codec);
    }

    @Test
    void publishesTheFirstOutputOfEachMapTaskAsAWhole() throws Exception {
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 2, 2);
            store.publish(output(store, parts, 1, 10));
            assertEquals(List.of(1), store.present(SHUFFLE));
            assertEquals(
                    0,
                    assertThrows(FetchFailedException.class, () -> store.read(SHUFFLE, 0))
                            .map());
            store.publish(output(store, parts, 0, 10));
            long kept = parts.memory().storageUsed();
            store.publish(output(store, parts, 0, PAIRS));
            assertEquals(kept, parts.memory().storageUsed(), "the second is freed");
            assertEquals(
                    10,
                    store.read(SHUFFLE, 0).get(0).records()
                            + store.read(SHUFFLE, 1).get(0).records());
            store.lose(SHUFFLE, 0);
            assertEquals(List.of(1), store.present(SHUFFLE));
            store.clear();
            assertEquals(0, parts.memory().storageUsed());
            store.publish(output(store, parts, 0, PAIRS));
            assertEquals(0, parts.memory().storageUsed(), "nobody can read it any more");
            assertThrows(FetchFailedException.class, () -> store.read(SHUFFLE, 0));
        }
    }

    @Test
    void replacesOutputsOfEarlierRunsAlsoWhenRunNumbersWrap() throws Exception {
        int last = Integer.MAX_VALUE;
        int wrapped = Integer.MIN_VALUE;
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 2);
            store.publish(output(store, parts, 0, 10), last);
            store.publish(output(store, parts, 0, 20), wrapped);
            assertEquals(20, records(store), "the run after the greatest number is a later one");
            store.publish(output(store, parts, 0, 30), last);
            assertEquals(20, records(store), "a late task of the earlier run");
            store.publish(output(store, parts, 0, 40), wrapped);
            assertEquals(20, records(store), "a second attempt of the same run");
        }
    }

    private static int records(ShuffleStore store) throws Exception {
        return store.read(SHUFFLE, 0).get(0).records()
                + store.read(SHUFFLE, 1).get(0).records();
    }

    /** An output that is published while its shuffle is removed must be deleted by either side. */
    @Test
    void leavesNothingOfAnOutputThatRacesWithTheRemovalOfItsShuffle() throws Exception {
        int rounds = 300;
        int runs = 200;
        AtomicLong reserved = new AtomicLong();
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            ExecutorService remover = Executors.newSingleThreadExecutor();
            try {
                for (int round = 0; round < rounds; round++) {
                    int shuffle = round;
                    int removedAfter = round % runs;
                    AtomicInteger published = new AtomicInteger();
                    store.open(shuffle, 1, 1);
                    Future<?> removal = remover.submit(() -> {
                        while (published.get() <= removedAfter) {
                            Thread.onSpinWait();
                        }
                        store.remove(shuffle);
                    });
                    for (int run = 1; run <= runs; run++) {
                        store.publish(tiny(shuffle, reserved), run);
                        published.set(run);
                    }
                    removal.get();
                    assertEquals(0, reserved.get(), "round " + round);
                }
            } finally {
                remover.shutdownNow();
            }
        }
    }

    private static MapOutput tiny(int shuffle, AtomicLong reserved) {
        reserved.addAndGet(1);
        return new MapOutput(shuffle, 0, new int[] {1}, List.of(), null, 1, 0, 0, bytes -> reserved.addAndGet(-bytes));
    }

    @Test
    void evictsTheOldestFirstAndSmallOnesLast() throws Exception {
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 3, 2);
            store.publish(output(store, parts, 0, 10));
            store.publish(output(store, parts, 1, PAIRS));
            store.publish(output(store, parts, 2, PAIRS));
            assertTrue(store.evict(1) > 64 * 1024);
            List<ShuffleSegment> blocks = store.read(SHUFFLE, 0);
            assertTrue(blocks.get(0).inMemory());
            assertFalse(blocks.get(1).inMemory());
            assertTrue(blocks.get(2).inMemory());
            long kept = parts.memory().storageUsed();
            long freed = store.evict(Long.MAX_VALUE);
            assertFalse(store.read(SHUFFLE, 0).get(0).inMemory());
            assertEquals(kept - freed, parts.memory().storageUsed());
            // for each output: records by reducer, and segment offsets
            long tables = Integer.BYTES * 3 * (2 + 3L);
            assertEquals(tables, parts.memory().storageUsed());
            assertEquals(0, store.evict(1));
        }
    }

    @Test
    void writesToDiskWithoutMemory() throws Exception {
        try (TestingShuffleServices parts = parts(300 << 10)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 4, 2);
            TaskMemory other = parts.task();
            for (int map = 0; map < 4; map++) {
                store.publish(output(store, parts, map, PAIRS));
            }
            other.require(100 << 10, "other");
            for (int reader = 0; reader < 2; reader++) {
                for (ShuffleSegment block : store.read(SHUFFLE, reader)) {
                    assertEquals(2 * block.records(), parts.pairs(block).size());
                }
            }
            assertTrue(parts.memory().storageUsed() <= parts.memory().total());
            store.remove(SHUFFLE);
            assertEquals(100 << 10, other.close());
            assertEquals(0, parts.memory().storageUsed());
            assertEquals(List.of(), parts.segments());
        }
    }

    @Test
    void keepsOutputsInMemoryWhenAllDisksFail() throws Exception {
        Path none = Files.writeString(directory.resolve("file"), "no directory").resolve("below");
        try (TestingShuffleServices parts = new TestingShuffleServices(AMPLE_BYTES, none, codec)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 2);
            store.publish(output(store, parts, 0, PAIRS));
            assertEquals(0, store.evict(1));
            assertTrue(parts.memory().storageUsed() > 0);
            assertTrue(store.read(SHUFFLE, 0).get(0).inMemory());
            assertEquals(
                    2 * store.read(SHUFFLE, 0).get(0).records(),
                    parts.pairs(store.read(SHUFFLE, 0).get(0)).size());
        }
    }

    /** Kinds of damage to a file. */
    enum Damage {
        DELETED,
        CUT,
        FLIPPED;

        void happen(Path file) throws IOException {
            switch (this) {
                case DELETED -> Files.delete(file);
                case CUT -> {
                    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                        open.setLength(open.length() / 4);
                    }
                }
                case FLIPPED -> {
                    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                        for (long at = 20; at < open.length(); at += 1_000) {
                            open.seek(at);
                            int was = open.read();
                            open.seek(at);
                            open.write(was ^ 4);
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Damage.class)
    void deletesACorruptOutputButNotItsReplacement(Damage damage) throws Exception {
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 2);
            store.publish(output(store, parts, 0, PAIRS));
            store.evict(Long.MAX_VALUE);
            String file = parts.segments().get(0).toString();
            damage.happen(parts.segments().get(0));
            ShuffleSegment first = store.read(SHUFFLE, 1).get(0);
            ShuffleSegment second = store.read(SHUFFLE, 1).get(0);
            FetchFailedException told =
                    store.damaged(first, assertThrows(CorruptFileException.class, () -> parts.pairs(first)));
            assertEquals(0, told.map());
            assertTrue(told.getMessage().contains(file) && told.getMessage().contains("map task 0"), told.getMessage());
            assertEquals(List.of(), store.present(SHUFFLE));
            assertEquals(List.of(), parts.segments());

            store.publish(output(store, parts, 0, PAIRS));
            store.damaged(second, assertThrows(CorruptFileException.class, () -> parts.pairs(second)));
            assertEquals(List.of(0), store.present(SHUFFLE), "made again");
            assertEquals(
                    2 * second.records(),
                    parts.pairs(store.read(SHUFFLE, 1).get(0)).size());
        }
    }

    @Test
    void reportsAllCorruptOutputsAtOnce() throws Exception {
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 4, 2);
            for (int map = 0; map < 4; map++) {
                store.publish(output(store, parts, map, PAIRS));
            }
            store.evict(Long.MAX_VALUE);
            ShuffleSegment block = store.read(SHUFFLE, 0).get(1);
            store.lose(SHUFFLE, 3);
            for (Path file : parts.segments()) {
                Damage.DELETED.happen(file);
            }
            FetchFailedException told =
                    store.damaged(block, assertThrows(CorruptFileException.class, () -> parts.pairs(block)));
            assertEquals(1, told.map());
            assertEquals(List.of(0, 2, 3), told.others());
            FetchFailedException all = assertThrows(FetchFailedException.class, () -> store.read(SHUFFLE, 0));
            assertEquals(0, all.map());
            assertEquals(List.of(1, 2, 3), all.others());
        }
    }

    @Test
    void reportsTheCorruptFileToLaterReaders() throws Exception {
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 2);
            store.publish(output(store, parts, 0, PAIRS));
            store.evict(Long.MAX_VALUE);
            Path file = parts.segments().get(0);
            Damage.DELETED.happen(file);
            String first = store.check(SHUFFLE, 0, 0).orElseThrow().getMessage();
            String later = store.check(SHUFFLE, 0, 1).orElseThrow().getMessage();
            assertTrue(first.contains(file.toString()), first);
            assertTrue(later.contains(file.toString()), later);
        }
    }

    @Test
    void reportsOutputsThatAreCorruptForOtherReducers() throws Exception {
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 4, 2);
            for (int map = 0; map < 4; map++) {
                store.publish(output(store, parts, map, PAIRS));
                store.evict(Long.MAX_VALUE);
            }
            List<Path> files = parts.segments();
            for (int at = 0; at < 3; at++) { // the last third holds the segment of the last reducer
                try (RandomAccessFile open = new RandomAccessFile(files.get(at).toFile(), "rw")) {
                    long middle = open.length() * (at == 0 ? 1 : 5) / 6;
                    open.seek(middle);
                    int was = open.read();
                    open.seek(middle);
                    open.write(was ^ 4);
                }
            }
            ShuffleSegment block = null;
            CorruptFileException damage = null;
            for (ShuffleSegment each : store.read(SHUFFLE, 0)) {
                try {
                    parts.pairs(each);
                } catch (CorruptFileException found) {
                    block = each;
                    damage = found;
                }
            }
            FetchFailedException told = store.damaged(Objects.requireNonNull(block), Objects.requireNonNull(damage));
            assertEquals(2, told.others().size());
            assertEquals(1, store.present(SHUFFLE).size());
            assertEquals(1, parts.segments().size());
        }
    }

    @Test
    void verifiesOtherReducersWithinALimitOfBytes() throws Exception {
        int maps = 4;
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            MapOutput sample = output(new ShuffleStore(parts), parts, 0, PAIRS);
            sample.evict(parts);
            ShuffleStore store = new ShuffleStore(parts, 3 * sample.totalBytes() / 2);
            sample.delete();
            store.open(SHUFFLE, maps, 3);
            for (int map = 0; map < maps; map++) {
                store.publish(ofThree(store, parts, map));
                store.evict(Long.MAX_VALUE);
            }
            for (ShuffleSegment block : store.read(SHUFFLE, 1).subList(2, maps)) {
                flip(block.fileSegment().orElseThrow());
            }
            ShuffleSegment first = store.read(SHUFFLE, 0).get(0);
            FetchFailedException missing = store.damaged(first, new CorruptFileException("as a reader found"));
            assertEquals(List.of(), missing.others(), "after one whole file the limit is reached");
            assertEquals(List.of(1, 2, 3), store.present(SHUFFLE));
        }
    }

    /** An output as large as one of {@link #output}, for three reducers. */
    private static MapOutput ofThree(ShuffleStore store, TestingShuffleServices parts, int map) throws Exception {
        TaskMemory memory = parts.task();
        ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, map, 3, Optional.empty());
        for (int at = 0; at < PAIRS; at++) {
            writer.pair(at, map);
        }
        MapOutput output = writer.finish();
        memory.close();
        return output;
    }

    private static void flip(FileSegment segment) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(segment.file(), "rw")) {
            long middle = segment.offset() + segment.bytes() / 2;
            open.seek(middle);
            int was = open.read();
            open.seek(middle);
            open.write(was ^ 4);
        }
    }

    @Test
    void reservesMemoryForIndexesUntilFilesAreDeleted() throws Exception {
        int readers = 5_000;
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, readers);
            ShuffleWriter writer = new ShuffleWriter(store, parts.task(), SHUFFLE, 0, readers, Optional.empty());
            for (int at = 0; at < PAIRS; at++) {
                writer.pair(at, "value");
            }
            store.publish(writer.finish());
            long before = parts.memory().storageUsed();
            long freed = store.evict(Long.MAX_VALUE);
            assertFalse(store.read(SHUFFLE, 0).get(0).inMemory());
            assertEquals(before - freed, parts.memory().storageUsed());
            assertTrue(
                    parts.memory().storageUsed() >= 2L * readers * Integer.BYTES,
                    () -> "kept " + parts.memory().storageUsed() + " for counts and offsets by reader");
            store.remove(SHUFFLE);
            assertEquals(0, parts.memory().storageUsed());
        }
    }

    @Test
    void sumsTheBytesOfManyReducersInOnePass() {
        int readers = 1_000_000; // a scan of all reducers for each of them would take hours
        int[] records = new int[readers];
        Arrays.fill(records, 1);
        MapOutput output =
                new MapOutput(SHUFFLE, 0, records, List.of(), null, 4L * readers, 4L * readers, 0, bytes -> {});
        assertEquals(4L * readers, output.totalBytes());
        assertEquals(readers, output.totalRecords());
    }

    /**
     * Concurrent map tasks of several shuffles, readers, evictions and removals, with a tenth of the memory
     * they need.
     */
    @Test
    void staysConsistentUnderConcurrentWritesReadsEvictionsAndRemovals() throws Exception {
        int shuffles = 12;
        int maps = 3;
        try (TestingShuffleServices parts = parts(1 << 20)) {
            ShuffleStore store = new ShuffleStore(parts);
            AtomicInteger next = new AtomicInteger(SHUFFLE);
            List<Callable<Integer>> threads = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                threads.add(() -> {
                    int done = 0;
                    for (int shuffle = next.getAndIncrement();
                            shuffle < SHUFFLE + shuffles;
                            shuffle = next.getAndIncrement()) {
                        store.open(shuffle, maps, 2);
                        for (int map = 0; map < maps; map++) {
                            store.publish(output(store, parts, shuffle, map, PAIRS * 2));
                        }
                        for (int reader = 0; reader < 2; reader++) {
                            for (ShuffleSegment block : store.read(shuffle, reader)) {
                                store.evict(1 << 16);
                                done += parts.pairs(block).size() / 2;
                            }
                        }
                        store.remove(shuffle);
                    }
                    return done;
                });
            }
            ExecutorService pool = Executors.newFixedThreadPool(threads.size());
            try {
                int done = 0;
                for (Future<Integer> each : pool.invokeAll(threads)) {
                    done += each.get();
                }
                assertEquals(shuffles * maps * PAIRS * 2, done);
            } finally {
                pool.shutdownNow();
            }
            assertEquals(0, parts.memory().storageUsed());
            assertEquals(0, parts.memory().executionUsed());
            assertEquals(List.of(), parts.segments());
        }
    }

    @Test
    void leavesNothingAfterManyShuffles() throws Exception {
        try (TestingShuffleServices parts = parts(1 << 20)) {
            ShuffleStore store = new ShuffleStore(parts);
            for (int round = 0; round < 100; round++) {
                store.open(SHUFFLE, 2, 2);
                store.publish(output(store, parts, 0, PAIRS * 4));
                store.publish(output(store, parts, 1, PAIRS));
                store.remove(SHUFFLE);
            }
            assertEquals(0, parts.memory().storageUsed());
            assertEquals(0, parts.memory().executionUsed());
            assertEquals(0, parts.files().bytes());
            assertEquals(List.of(), parts.segments());
            assertEquals(0, store.evict(1));
        }
    }

    @Test
    void aMigratedOutputReplacesALocalOne() throws Exception {
        try (TestingShuffleServices parts = parts(AMPLE_BYTES)) {
            ShuffleStore store = new ShuffleStore(parts);
            store.open(SHUFFLE, 1, 2);
            store.publish(output(store, parts, 0, 10)); // output of a later attempt
            TestingShuffleServices served =
                    new TestingShuffleServices(AMPLE_BYTES, directory.resolve("elsewhere"), codec) {
                        @Override
                        public boolean isServed() {
                            return true;
                        }
                    };
            try (served) {
                ShuffleStore other = new ShuffleStore(served);
                other.open(SHUFFLE, 1, 2);
                other.publish(output(other, served, 0, 30));
                MapOutputFile moved = other.stored(SHUFFLE, 0).orElseThrow();
                Path file = Path.of(moved.file().orElseThrow());
                PartitionedFile segment = ((LocalTemporaryFiles) parts.files()).read(file);
                store.adopt(SHUFFLE, 0, moved, Optional.of(segment));
                assertEquals(
                        30,
                        store.block(SHUFFLE, 0, 0).orElseThrow().records()
                                + store.block(SHUFFLE, 0, 1).orElseThrow().records(),
                        "what readers elsewhere have read a part of");
                store.publish(output(store, parts, 0, 10));
                assertEquals(
                        60,
                        parts.pairs(store.block(SHUFFLE, 0, 0).orElseThrow()).size()
                                + parts.pairs(store.block(SHUFFLE, 0, 1).orElseThrow())
                                        .size());
            }
        }
    }
}
