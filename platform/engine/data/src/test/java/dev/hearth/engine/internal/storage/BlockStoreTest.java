package dev.hearth.engine.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of caching, one by one, with budgets of a few KiB. */
@ParameterizedClass(name = "{0}")
@EnumSource(CompressionCodec.class)
class BlockStoreTest {
    private static final int BUDGET_BYTES = 64 * 1024;
    private static final BlockId FIRST = new BlockId(1, 0);
    private static final BlockId SECOND = new BlockId(2, 0);
    private static final BlockId THIRD = new BlockId(3, 0);

    @Parameter
    CompressionCodec codec;

    @TempDir
    private Path directory;

    private TestingBlockStore testing;

    private TestingBlockStore blocks() {
        return blocks(RecordOutput.BYTES_MAX);
    }

    private TestingBlockStore blocks(int recordBytesMax) {
        testing = new TestingBlockStore(BUDGET_BYTES, directory, codec, recordBytesMax);
        return testing;
    }

    @AfterEach
    void releasesEverything() {
        testing.requireReported();
        testing.blocks.close();
        assertEquals(Map.of(), testing.reported, "reported as cached after the end");
        assertEquals(0, testing.memory.storageUsed());
        assertEquals(0, testing.files.bytes());
        testing.close();
    }

    private static Object[] numbers(int count) {
        return IntStream.range(0, count).boxed().toArray();
    }

    /** About {@code bytes} bytes that do not compress. */
    private static Object[] arrays(int bytes) {
        return IntStream.range(0, bytes / 100)
                .mapToObj(i -> new java.util.SplittableRandom(i).ints(25).toArray())
                .toArray();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void returnsCachedElementsAtEveryStorageLevel(StorageLevel level) {
        TestingBlockStore kept = blocks();
        Object[] all = {
            1,
            2,
            3L,
            null,
            "text",
            2.5,
            Pair.of(1, "x"),
            Pair.of(null, 2L),
            List.of(5),
            Pair.of(1, new ArrayList<>()),
            9
        };
        kept.keep(FIRST, level, all);
        kept.keep(SECOND, level);
        assertEquals(Optional.of(Arrays.asList(all)), kept.read(FIRST));
        assertEquals(Optional.of(List.of()), kept.read(SECOND));
        assertEquals(level.usesMemory(), kept.isInMemory(FIRST));
        assertEquals(Optional.empty(), kept.read(THIRD));
        BlockIterator elements = kept.blocks.read(FIRST, () -> {}).orElseThrow();
        assertEquals(1, elements.next());
        assertEquals(2, elements.next());
        assertEquals(all.length - 2, elements.skipAll());
        assertFalse(elements.hasNext());
    }

    @Test
    void sharesImmutableElementsAndCopiesTheRest() {
        TestingBlockStore kept = blocks();
        String text = "text";
        int[] array = {1};
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, text, array, text);
        List<?> read = kept.read(FIRST).orElseThrow();
        assertSame(text, read.get(0));
        assertNotSame(array, read.get(1));
        ((int[]) read.get(1))[0] = 7;
        assertEquals(1, ((int[]) kept.read(FIRST).orElseThrow().get(1))[0]);
        kept.keep(SECOND, StorageLevel.MEMORY_ONLY_SER, text);
        assertNotSame(text, kept.read(SECOND).orElseThrow().get(0));
    }

    @Test
    void cachesNumbersUnboxed() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, numbers(2_000));
        kept.keep(
                SECOND,
                StorageLevel.MEMORY_ONLY,
                IntStream.range(0, 2_000).mapToObj(i -> Pair.of(i, (long) i)).toArray());
        long each = (kept.reported.get(FIRST).memoryBytes() - BlockWriter.OVERHEAD_BYTES) / 2_000;
        long pair = (kept.reported.get(SECOND).memoryBytes() - BlockWriter.OVERHEAD_BYTES) / 2_000;
        assertEquals(List.of(4L, 12L), List.of(each, pair));
        assertEquals(kept.memory.storageUsed(), kept.blocks.memoryBytes());
    }

    private static final class Measurement implements Serializable {
        private static final long serialVersionUID = 1L;

        final int id;
        final long time;
        double value;

        Measurement(int id, long time, double value) {
            this.id = id;
            this.time = time;
            this.value = value;
        }

        long sum() {
            value++;
            return id + time + (long) value;
        }
    }

    @Test
    void cachesMutableObjectsCompactly() {
        TestingBlockStore kept = blocks();
        Object[] all = IntStream.range(0, 1_000)
                .mapToObj(i -> new Measurement(1 << 20 | i, 1L << 40 | i, i / 3.0))
                .toArray();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, all);
        assertTrue(kept.reported.get(FIRST).memoryBytes() <= 22 * 1_000 + BlockWriter.OVERHEAD_BYTES);
        Object copy = kept.read(FIRST).orElseThrow().get(999);
        assertEquals(((Measurement) all[999]).sum(), ((Measurement) copy).sum());
    }

    @Test
    void evictsTheLeastRecentlyUsedBlock() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, arrays(20_000));
        kept.keep(SECOND, StorageLevel.MEMORY_AND_DISK, arrays(20_000));
        assertTrue(kept.isKept(FIRST), "read now, so the second one goes first");
        kept.keep(THIRD, StorageLevel.MEMORY_ONLY, arrays(30_000));
        assertTrue(kept.isInMemory(FIRST));
        assertFalse(kept.isInMemory(SECOND));
        assertTrue(kept.isInMemory(THIRD));
        assertEquals(200, kept.read(SECOND).orElseThrow().size(), "from disk");
        kept.keep(new BlockId(4, 0), StorageLevel.MEMORY_ONLY, arrays(30_000));
        assertEquals(Optional.empty(), kept.read(FIRST), "it has no disk");
    }

    @Test
    void neverEvictsItsOwnDataset() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, arrays(40_000));
        BlockId next = new BlockId(FIRST.dataset(), 1);
        kept.keep(next, StorageLevel.MEMORY_ONLY, arrays(40_000));
        assertTrue(kept.isInMemory(FIRST));
        assertFalse(kept.isKept(next));
        kept.keep(next, StorageLevel.MEMORY_AND_DISK, arrays(40_000));
        assertTrue(kept.isKept(next), "on disk");
        assertTrue(kept.isInMemory(FIRST));
    }

    @Test
    void evictsForTasksButNotBlocksThatAreRead() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, arrays(20_000));
        kept.keep(SECOND, StorageLevel.MEMORY_AND_DISK, arrays(20_000));
        BlockIterator reading = kept.blocks.read(FIRST, () -> {}).orElseThrow();
        reading.next();
        long before = kept.memory.storageUsed();
        long freed = kept.blocks.evict(Long.MAX_VALUE);
        assertEquals(before - freed, kept.memory.storageUsed());
        assertTrue(kept.isInMemory(FIRST));
        assertFalse(kept.isInMemory(SECOND));
        kept.blocks.remove(FIRST.dataset());
        assertTrue(kept.memory.storageUsed() > 0, "it is being read");
        assertEquals(199, Stream.generate(reading::next).limit(199).count());
        assertFalse(reading.hasNext());
        assertEquals(0, kept.memory.storageUsed());
    }

    @Test
    void passesElementsOnWithoutMemory() {
        TestingBlockStore kept = blocks();
        int[] computed = {0};
        Iterator<Object> source =
                Arrays.stream(arrays(200_000)).peek(element -> computed[0]++).iterator();
        BlockWriter draft = kept.blocks.begin(FIRST, StorageLevel.MEMORY_ONLY);
        List<Object> passed = new ArrayList<>();
        CachingIterator passing = new CachingIterator(source, draft);
        while (passing.hasNext()) {
            passed.add(passing.next());
        }
        assertEquals(2_000, passed.size());
        assertEquals(2_000, computed[0]);
        assertEquals(0, kept.memory.storageUsed(), "given back as soon as it was given up");
        draft.publish();
        assertFalse(kept.isKept(FIRST));
    }

    @Test
    void continuesOnDiskIfTheLevelAllowsIt() {
        TestingBlockStore kept = blocks();
        for (StorageLevel level : List.of(StorageLevel.MEMORY_AND_DISK, StorageLevel.MEMORY_AND_DISK_SER)) {
            kept.keep(FIRST, level, numbers(100_000));
            assertFalse(kept.isInMemory(FIRST));
            assertEquals(0, kept.memory.storageUsed());
            assertEquals(Optional.of(Arrays.asList(numbers(100_000))), kept.read(FIRST));
            kept.blocks.remove(FIRST.dataset());
        }
    }

    @Test
    void cachesOneOfTwoEqualBlocks() {
        TestingBlockStore kept = blocks();
        BlockWriter one = kept.blocks.begin(FIRST, StorageLevel.MEMORY_ONLY);
        BlockWriter other = kept.blocks.begin(FIRST, StorageLevel.DISK_ONLY);
        for (BlockWriter draft : List.of(one, other)) {
            draft.add("a");
            draft.finish();
        }
        one.publish();
        other.publish();
        assertEquals(Optional.of(List.of("a")), kept.read(FIRST));
        assertTrue(kept.isInMemory(FIRST));
        assertEquals(0, kept.files.bytes());
    }

    @Test
    void cachesNothingOfAFailedTask() {
        TestingBlockStore kept = blocks();
        for (StorageLevel level : StorageLevel.values()) {
            if (level != StorageLevel.NONE) {
                BlockWriter half = kept.blocks.begin(FIRST, level);
                Arrays.stream(arrays(5_000)).forEach(half::add);
                half.discard();
                BlockWriter whole = kept.blocks.begin(FIRST, level);
                Arrays.stream(arrays(5_000)).forEach(whole::add);
                whole.finish();
                whole.discard();
                BlockWriter unfinished = kept.blocks.begin(FIRST, level);
                unfinished.add(1);
                unfinished.publish();
                assertFalse(kept.isKept(FIRST));
                assertEquals(0, kept.memory.storageUsed());
                assertEquals(0, kept.files.bytes());
            }
        }
    }

    @Test
    void completesABlockThatWasReadInPart() {
        TestingBlockStore kept = blocks();
        BlockWriter draft = kept.blocks.begin(FIRST, StorageLevel.MEMORY_ONLY);
        CachingIterator passing = new CachingIterator(Arrays.asList(numbers(10)).iterator(), draft);
        assertEquals(0, passing.next());
        passing.complete();
        draft.publish();
        assertEquals(Optional.of(Arrays.asList(numbers(10))), kept.read(FIRST));
    }

    private static Iterator<Object> failingAt(int place, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> {
                    if (n == place) {
                        throw new IllegalArgumentException("element " + n);
                    }
                    return (Object) n;
                })
                .iterator();
    }

    @Test
    void cachesNothingIfAnElementFailed() {
        TestingBlockStore kept = blocks();
        for (StorageLevel level : List.of(StorageLevel.MEMORY_ONLY, StorageLevel.DISK_ONLY)) {
            BlockWriter draft = kept.blocks.begin(FIRST, level);
            Iterator<Object> numbers = Arrays.asList(numbers(10)).iterator();
            CachingIterator passing = new CachingIterator(
                    new Iterator<>() {
                        @Override
                        public boolean hasNext() {
                            return numbers.hasNext();
                        }

                        @Override
                        public Object next() {
                            Object number = numbers.next();
                            if (number.equals(4)) {
                                throw new IllegalArgumentException("four");
                            }
                            return number;
                        }
                    },
                    draft);
            int passed = 0;
            while (passing.hasNext()) {
                try {
                    passing.next();
                    passed++;
                } catch (IllegalArgumentException lost) { // as a user function that catches the failure
                    assertEquals("four", lost.getMessage());
                }
            }
            assertEquals(9, passed);
            passing.complete();
            draft.publish();
            assertFalse(kept.isKept(FIRST), "one of ten is missing");
            assertEquals(0, kept.memory.storageUsed());
            assertEquals(0, kept.files.bytes());
        }
    }

    @Test
    void cachesNothingIfAnElementIsNotSerialisable() {
        TestingBlockStore kept = blocks();
        BlockWriter draft = kept.blocks.begin(FIRST, StorageLevel.MEMORY_ONLY);
        CachingIterator passing =
                new CachingIterator(Arrays.<Object>asList(1, new Thread(), 3).iterator(), draft);
        assertEquals(1, passing.next());
        assertThrows(HearthException.class, passing::next);
        assertEquals(3, passing.next());
        passing.complete();
        draft.publish();
        assertFalse(kept.isKept(FIRST));
    }

    @Test
    void cachesNothingOfAnAbortedTraversal() {
        TestingBlockStore kept = blocks();
        BlockWriter draft = kept.blocks.begin(FIRST, StorageLevel.MEMORY_ONLY);
        CachingIterator passing = new CachingIterator(failingAt(3, 10), draft);
        assertThrows(IllegalArgumentException.class, () -> passing.forEachRemaining(element -> {}));
        passing.complete();
        draft.publish();
        assertFalse(kept.isKept(FIRST));
    }

    @Test
    void cachesTheWholeBlockWhateverIsCalledAfterTheEnd() {
        TestingBlockStore kept = blocks();
        BlockWriter draft = kept.blocks.begin(FIRST, StorageLevel.MEMORY_ONLY);
        CachingIterator passing = new CachingIterator(Arrays.asList(numbers(3)).iterator(), draft);
        passing.next();
        passing.forEachRemaining(element -> {});
        assertFalse(passing.hasNext());
        assertThrows(NoSuchElementException.class, passing::next);
        passing.forEachRemaining(element -> {});
        passing.complete();
        draft.publish();
        assertEquals(Optional.of(Arrays.asList(numbers(3))), kept.read(FIRST));
    }

    /** Fails to deserialise when {@link #closed} is set. */
    private record Door(int number) implements Serializable {
        static boolean closed;

        Door {
            if (closed && number == 1) {
                throw new IllegalStateException("door " + number);
            }
        }
    }

    @Test
    void readsNothingAfterAReadFailure() {
        TestingBlockStore kept = blocks();
        Door.closed = false;
        for (StorageLevel level : List.of(StorageLevel.MEMORY_ONLY_SER, StorageLevel.DISK_ONLY)) {
            kept.keep(FIRST, level, new Door(0), new Door(1), new Door(2));
            Door.closed = true;
            try (BlockIterator elements = kept.blocks.read(FIRST, () -> {}).orElseThrow()) {
                assertEquals(new Door(0), elements.next());
                assertThrows(RuntimeException.class, elements::next);
                assertThrows(RuntimeException.class, elements::hasNext, "it is not at its end");
                assertThrows(RuntimeException.class, elements::next);
                assertThrows(RuntimeException.class, () -> elements.forEachRemaining(element -> {}));
            } finally {
                Door.closed = false;
            }
            kept.blocks.remove(FIRST.dataset());
        }
    }

    @Test
    void evictsToDiskIfAReaderWantsThatLevel() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, arrays(30_000));
        kept.blocks
                .read(FIRST, StorageLevel.MEMORY_AND_DISK, () -> {})
                .orElseThrow()
                .close();
        kept.keep(SECOND, StorageLevel.MEMORY_ONLY, arrays(50_000));
        assertTrue(kept.isKept(FIRST), "a local checkpoint is made of it");
        assertFalse(kept.isInMemory(FIRST));
    }

    @Test
    void dropsABlockThatAFullDiskRefuses() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_AND_DISK, arrays(30_000));
        kept.full = true;
        kept.keep(SECOND, StorageLevel.MEMORY_ONLY, arrays(50_000));
        assertFalse(kept.isKept(FIRST), "evicted, and could not be written");
        assertTrue(kept.isInMemory(SECOND));
        kept.keep(THIRD, StorageLevel.DISK_ONLY, numbers(10));
        assertFalse(kept.isKept(THIRD), "its elements passed all the same");
        kept.keep(THIRD, StorageLevel.MEMORY_AND_DISK, arrays(500_000));
        assertFalse(kept.isKept(THIRD));
    }

    @Test
    void keepsIrreplaceableBlocksThoughTheDiskIsFull() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_AND_DISK, arrays(20_000));
        kept.keep(SECOND, StorageLevel.MEMORY_ONLY, arrays(20_000));
        kept.blocks.makeOnly(FIRST.dataset());
        kept.full = true;
        kept.keep(THIRD, StorageLevel.MEMORY_ONLY, arrays(30_000));
        assertTrue(kept.isInMemory(FIRST), "it cannot go to disk, and is all there is");
        assertFalse(kept.isKept(SECOND), "the next one gave way instead");
        assertTrue(kept.isInMemory(THIRD));
        assertEquals(200, kept.read(FIRST).orElseThrow().size());
        kept.blocks.evict(Long.MAX_VALUE);
        assertTrue(kept.isInMemory(FIRST), "nor for a task");
        assertFalse(kept.isKept(THIRD));
        kept.full = false;
        kept.blocks.evict(Long.MAX_VALUE);
        assertTrue(kept.isKept(FIRST));
        assertFalse(kept.isInMemory(FIRST), "there is room on the disk again");
        assertEquals(200, kept.read(FIRST).orElseThrow().size());
    }

    @Test
    void evictsIrreplaceableBlocksToDiskAtAnyLevel() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, arrays(20_000));
        kept.blocks.makeOnly(FIRST.dataset());
        kept.blocks.evict(Long.MAX_VALUE);
        assertEquals(200, kept.read(FIRST).orElseThrow().size());
        assertFalse(kept.isInMemory(FIRST));
        kept.blocks.remove(FIRST.dataset());
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, arrays(20_000));
        kept.blocks.evict(Long.MAX_VALUE);
        assertFalse(kept.isKept(FIRST), "another one of that number, which can be made again");
    }

    @Test
    void acceptsRecordsUpToTheLimitAfterAnyOthers() {
        int bound = 2_000;
        TestingBlockStore kept = blocks(bound);
        Object[] arrays = {new byte[700], new byte[1_950], new byte[700], new byte[700], new byte[1_950]};
        for (StorageLevel level : List.of(StorageLevel.MEMORY_ONLY_SER, StorageLevel.DISK_ONLY)) {
            kept.keep(FIRST, level, arrays);
            assertEquals(
                    List.of(700, 1_950, 700, 700, 1_950),
                    kept.read(FIRST).orElseThrow().stream()
                            .map(array -> ((byte[]) array).length)
                            .toList());
            kept.blocks.remove(FIRST.dataset());
        }
        for (StorageLevel level : StorageLevel.values()) {
            if (level != StorageLevel.NONE) {
                HearthException refused = assertThrows(
                        HearthException.class, () -> kept.keep(FIRST, level, new byte[700], new byte[bound + 1]));
                assertTrue(refused.getMessage().contains("more than 2000 bytes serialised"), refused.getMessage());
                assertFalse(kept.isKept(FIRST));
                assertEquals(0, kept.memory.storageUsed());
                assertEquals(0, kept.files.bytes());
            }
        }
    }

    @Test
    void dropsABlockWithACorruptFileAndNamesIt() throws IOException {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.DISK_ONLY, arrays(50_000));
        Path file;
        try (Stream<Path> all = Files.walk(directory)) {
            file = all.filter(Files::isRegularFile)
                    .filter(path -> path.toFile().length() > 10_000)
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        CorruptBlockException failure = assertThrows(CorruptBlockException.class, () -> kept.read(FIRST));
        assertTrue(failure.getMessage().contains(file.getFileName().toString()), failure.getMessage());
        assertFalse(kept.isKept(FIRST));
        kept.keep(FIRST, StorageLevel.DISK_ONLY, 1, 2);
        assertEquals(Optional.of(List.of(1, 2)), kept.read(FIRST));
    }

    @Test
    void refusesElementsThatAreNotSerialisable() {
        TestingBlockStore kept = blocks();
        HearthException failure =
                assertThrows(HearthException.class, () -> kept.keep(FIRST, StorageLevel.MEMORY_ONLY, new Thread()));
        assertEquals("NOT_SERIALIZABLE", failure.code());
    }

    @Test
    void cachesNothingAfterClose() {
        TestingBlockStore kept = blocks();
        kept.keep(FIRST, StorageLevel.MEMORY_ONLY, 1);
        BlockWriter late = kept.blocks.begin(SECOND, StorageLevel.MEMORY_AND_DISK);
        kept.blocks.close();
        late.add(1);
        late.finish();
        late.publish();
        assertFalse(kept.isKept(FIRST));
        assertFalse(kept.isKept(SECOND));
    }
}
