package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.TaskContext;
import dev.hearth.engine.internal.driver.loop.Driver;
import dev.hearth.spi.monitor.CachedBlockView;
import dev.hearth.spi.monitor.CachedDatasetView;
import java.io.IOException;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests persisted datasets through the whole driver, with an executor in this process. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class PersistedDatasetsTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private static final class Point implements Serializable {
        private static final long serialVersionUID = 1L;

        int x;

        Point(int x) {
            this.x = x;
        }
    }

    /** Counts its deserialisations. */
    private static final class Seen implements Serializable {
        private static final long serialVersionUID = 1L;
        static final AtomicInteger READ = new AtomicInteger();

        int x;

        Seen(int x) {
            this.x = x;
        }

        private Object readResolve() {
            READ.incrementAndGet();
            return this;
        }
    }

    private static volatile CountDownLatch released = new CountDownLatch(1);

    private static List<Integer> numbers(int until) {
        return IntStream.range(0, until).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void computesEachPartitionOnce(StorageLevel level) {
        HearthContext context = local.open();
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        Rdd<Integer> squares = context.parallelize(numbers(1_000), 4).map(n -> {
            computed.add(1L);
            return n * n;
        });
        squares.persist(level);
        assertEquals(level, squares.storageLevel());
        assertEquals(0, squares.first(), "takes one element, caches the whole partition");
        assertEquals(250, computed.value());
        assertEquals(1_000, squares.count());
        assertEquals(numbers(1_000).stream().map(n -> n * n).toList(), squares.collect());
        assertEquals(500, squares.filter(n -> n % 2 == 0).count());
        assertEquals(1_000, computed.value());
        squares.unpersist(true);
        assertEquals(StorageLevel.NONE, squares.storageLevel());
        assertEquals(1_000, squares.count());
        assertEquals(2_000, computed.value());
    }

    @Test
    void countsCachedElementsWithoutDeserialisingThem() {
        HearthContext context = local.open();
        Rdd<Seen> seen = context.parallelize(numbers(100), 2)
                .mapPartitions(input -> {
                    List<Seen> created = new ArrayList<>();
                    input.forEachRemaining(number -> created.add(new Seen(number)));
                    return created.iterator();
                })
                .cache();
        assertEquals(100, seen.count());
        int read = Seen.READ.get();
        assertEquals(100, seen.count());
        assertEquals(read, Seen.READ.get());
        assertEquals(4_950, seen.map(one -> one.x).reduce(Integer::sum));
        assertEquals(read + 100, Seen.READ.get());
    }

    @Test
    void cachesNoPartitionThatATolerantFunctionGaveUp() {
        HearthContext context = local.open();
        Rdd<Integer> shares =
                context.parallelize(numbers(10), 1).map(n -> 100 / (n - 4)).cache();
        Rdd<Integer> tolerant = shares.mapPartitions(elements -> {
            List<Integer> good = new ArrayList<>();
            while (elements.hasNext()) {
                try {
                    good.add(elements.next());
                } catch (ArithmeticException byZero) {
                    good.add(0);
                }
            }
            return good.iterator();
        });
        List<Integer> first = tolerant.collect();
        assertEquals(10, first.size());
        assertEquals(first, tolerant.collect(), "the same result again");
        assertThrows(HearthException.class, shares::count, "one partition cannot be computed");
    }

    @Test
    void readsAgainAFileThatATolerantFunctionFoundCorrupt(@TempDir Path directory) throws IOException {
        HearthContext context = local.open(Map.of("hearth.local.dir", directory.toString()));
        Rdd<Integer> persisted =
                context.parallelize(numbers(100_000), 1).map(n -> n + 1).persist(StorageLevel.DISK_ONLY);
        assertEquals(100_000, persisted.count());
        Path file;
        try (Stream<Path> all = Files.walk(directory)) {
            file = all.filter(Files::isRegularFile)
                    .filter(path -> path.toFile().length() > 10_000)
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - bytes.length / 4] ^= 1;
        Files.write(file, bytes);
        Rdd<Integer> sizes = persisted.mapPartitions(elements -> {
            int size = 0;
            try {
                while (elements.hasNext()) {
                    elements.next();
                    size++;
                }
            } catch (RuntimeException passedOver) {
                return List.of(size).iterator();
            }
            return List.of(size).iterator();
        });
        assertEquals(List.of(100_000), sizes.collect());
    }

    @Test
    void givesEachReaderItsOwnCopyOfMutableElements() {
        HearthContext context = local.open();
        Rdd<Point> points = context.parallelize(numbers(10), 2).map(Point::new).cache();
        Rdd<Integer> moved = points.map(point -> point.x += 100);
        List<Integer> expected = numbers(10).stream().map(n -> n + 100).toList();
        assertEquals(expected, moved.collect(), "while they are computed");
        assertEquals(expected, moved.collect(), "from the cached blocks");
        assertEquals(expected, moved.collect());
    }

    private static Rdd<Pair<Integer, Integer>> sums(HearthContext context, Accumulator<Long, Long> mapped) {
        return context.parallelize(numbers(100), 5)
                .mapToPair(n -> {
                    mapped.add(1L);
                    return Pair.of(n % 7, n);
                })
                .reduceByKey(Integer::sum, 3)
                .cache();
    }

    @Test
    void readsNoShuffleForCachedBlocks() {
        HearthContext context = local.open();
        Accumulator<Long, Long> mapped = context.longAccumulator("mapped");
        Rdd<Pair<Integer, Integer>> sums = sums(context, mapped);
        List<Pair<Integer, Integer>> expected = sums.collect();
        assertEquals(100, mapped.value());
        ((DriverContext) context).driver().forgetShuffle(0);
        assertEquals(expected, sums.collect());
        assertEquals(7, sums.keyBy(Pair::key).groupByKey(2).count());
        assertEquals(100, mapped.value(), "the map tasks ran once");
        sums.unpersist(true);
        assertEquals(expected, sums.collect());
        assertEquals(200, mapped.value(), "there was neither a block nor a map output");
    }

    @Test
    void runsParentStagesWhenBlocksAreLost() throws Exception {
        HearthContext context = local.open();
        Accumulator<Long, Long> mapped = context.longAccumulator("mapped");
        Rdd<Pair<Integer, Integer>> sums = sums(context, mapped);
        List<Pair<Integer, Integer>> expected = sums.collect();
        Driver driver = ((DriverContext) context).driver();
        driver.forgetShuffle(0);
        released = new CountDownLatch(1);
        JobFuture<Void> busy = context.parallelize(numbers(2), 2).foreachAsync(n -> released.await());
        JobFuture<List<Pair<Integer, Integer>>> late = sums.collectAsync();
        sums.unpersist(true);
        released.countDown();
        assertEquals(expected, late.get(30, TimeUnit.SECONDS));
        busy.get(30, TimeUnit.SECONDS);
        assertEquals(200, mapped.value());
        // another thread removes the late block of a dataset that is not persisted; the test has a bound
        while (driver.data().kept().memoryBytes() > 0) {
            assertEquals(1, context.parallelize(List.of(1), 1).count());
        }
    }

    @Test
    void showsCachedBlocks() {
        HearthContext context = local.open();
        Driver driver = ((DriverContext) context).driver();
        Rdd<Integer> squares = context.parallelize(numbers(1_000), 4)
                .map(n -> n * n)
                .named("squares")
                .persist(StorageLevel.MEMORY_AND_DISK);
        assertEquals(0, squares.first());
        CachedDatasetView shown = driver.keeper().view().datasets().get(0);
        assertEquals(
                List.of(0),
                shown.blocks().stream().map(CachedBlockView::partition).toList());
        assertEquals(1_000, squares.named("square numbers").count());
        shown = driver.monitor().status().storage().datasets().get(0);
        assertEquals(List.of(squares.id(), "square numbers", 4), List.of(shown.id(), shown.name(), shown.partitions()));
        assertEquals(4, shown.blocks().size());
        assertEquals(driver.data().kept().memoryBytes(), shown.memoryBytes());
        assertEquals(1, driver.keeper().view().memoryMax().size());
        squares.unpersist(true);
        assertEquals(List.of(), driver.keeper().view().datasets());
    }

    private static WeakReference<Rdd<Integer>> dropped(HearthContext context) {
        Rdd<Integer> persisted =
                context.parallelize(numbers(1_000), 4).map(n -> n + 1).cache();
        assertEquals(1_000, persisted.count());
        return new WeakReference<>(persisted);
    }

    @Test
    void removesTheBlocksOfDroppedDatasets() {
        HearthContext context = local.open();
        Driver driver = ((DriverContext) context).driver();
        WeakReference<Rdd<Integer>> dropped = dropped(context);
        assertTrue(driver.data().kept().memoryBytes() > 0);
        while (driver.data().kept().memoryBytes() > 0) { // until garbage collection detects it; the test has a bound
            System.gc();
            assertEquals(1, context.parallelize(List.of(1), 1).count());
        }
        assertNull(dropped.get());
    }

    @Test
    void releasesDroppedDatasetsWithoutAnyJob() {
        HearthContext context = local.open(Map.of("hearth.cleaner.periodicGC.interval", "1s"));
        Driver driver = ((DriverContext) context).driver();
        WeakReference<Rdd<Integer>> dropped = dropped(context);
        while (driver.data().kept().memoryBytes() > 0) { // the test has a bound
            Thread.onSpinWait();
        }
        assertNull(dropped.get());
    }

    @Test
    void keepsTheBlocksOfDroppedDatasetsIfConfigured() {
        HearthContext context = local.open(Map.of("hearth.cleaner.referenceTracking", "false"));
        Driver driver = ((DriverContext) context).driver();
        WeakReference<Rdd<Integer>> dropped = dropped(context);
        while (dropped.get() != null) {
            System.gc();
        }
        assertEquals(1, context.parallelize(List.of(1), 1).count());
        assertTrue(driver.data().kept().memoryBytes() > 0);
    }

    @Test
    void computesCorruptBlocksAgain(@TempDir Path directory) throws IOException {
        HearthContext context = local.open(Map.of("hearth.local.dir", directory.toString()));
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.TaskEnded ended
                    && !ended.failure().isEmpty()) {
                failures.add(ended.failure());
            }
        });
        Rdd<String> texts = context.parallelize(numbers(1_000), 1)
                .map(n -> {
                    computed.add(1L);
                    return "text of number " + n;
                })
                .persist(StorageLevel.DISK_ONLY);
        assertEquals(1_000, texts.count());
        Path file;
        try (Stream<Path> all = Files.walk(directory)) {
            file = all.filter(path -> Files.isRegularFile(path) && path.toFile().length() > 1_000)
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 8;
        Files.write(file, bytes);
        assertEquals(numbers(1_000).stream().map(n -> "text of number " + n).toList(), texts.collect());
        assertEquals(2_000, computed.value());
        assertEquals(1_000, texts.count());
        assertEquals(2_000, computed.value(), "and cached again");
        context.close();
        assertEquals(1, failures.size());
        assertTrue(failures.element().contains(file.getFileName().toString()), failures.element());
    }

    @Test
    void cachesNothingOfFailedAttempts() {
        HearthContext context = local.open(Map.of("hearth.task.maxFailures", "3"));
        Driver driver = ((DriverContext) context).driver();
        Rdd<Integer> persisted =
                context.parallelize(numbers(1_000), 2).map(n -> n + 1).cache();
        Rdd<Integer> failing = persisted.map(n -> {
            if (n == 990 && TaskContext.current().attempt() < 2) {
                throw new IllegalStateException("not yet");
            }
            return n;
        });
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        failing.foreach(n -> computed.add(1L));
        assertEquals(1_000, computed.value());
        assertEquals(driver.data().memory().storageUsed(), driver.data().kept().memoryBytes());
        persisted.unpersist(true);
        assertEquals(0, driver.data().memory().storageUsed());
    }

    @Test
    void sortsAPersistedDatasetWithoutComputingItTwice() {
        HearthContext context = local.open();
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        Rdd<Integer> persisted = context.parallelize(numbers(1_000), 4)
                .map(n -> {
                    computed.add(1L);
                    return 999 - n;
                })
                .cache();
        assertEquals(
                numbers(1_000),
                persisted.keyBy(n -> n).sortByKey(true, 3).keys().collect());
        assertEquals(1_000, computed.value(), "by the sampling job");
    }

    @Test
    void refusesAnotherStorageLevel() {
        HearthContext context = local.open();
        Rdd<Integer> numbers = context.parallelize(numbers(10), 2).cache();
        numbers.persist(StorageLevel.MEMORY_ONLY);
        HearthException failure = assertThrows(HearthException.class, () -> numbers.persist(StorageLevel.DISK_ONLY));
        assertEquals("BAD_ARGUMENT", failure.code());
        assertTrue(failure.getMessage().contains("MEMORY_ONLY"), failure.getMessage());
        assertThrows(HearthException.class, () -> numbers.persist(StorageLevel.NONE));
        numbers.unpersist(true).persist(StorageLevel.DISK_ONLY);
        assertEquals(10, numbers.count());
    }
}
