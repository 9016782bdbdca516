package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the whole driver with an executor in this process, as an application sees it. */
@Timeout(60)
class LocalDriverTest {
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static volatile CountDownLatch started = new CountDownLatch(1);

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    @Test
    void mapsFiltersCountsCollectsAndReduces() {
        Rdd<Integer> numbers =
                context.parallelize(IntStream.range(0, 1_000).boxed().toList(), 7);
        Rdd<Integer> even = numbers.map(number -> number * 3).filter(number -> number % 2 == 0);
        assertEquals(7, even.partitions());
        assertEquals(500, even.count());
        assertEquals(IntStream.range(0, 500).map(i -> i * 6).boxed().toList(), even.collect());
        assertEquals(IntStream.range(0, 500).map(i -> i * 6).sum(), even.reduce(Integer::sum));
    }

    @Test
    void acceptsMorePartitionsThanElementsAndNoElements() {
        assertEquals(
                List.of("a", "b"), context.parallelize(List.of("a", "b"), 9).collect());
        assertEquals(0, context.<String>parallelize(List.of(), 3).count());
        assertEquals(List.of(), context.<String>parallelize(List.of(), 3).collect());
        assertEquals(
                Arrays.asList("x", null),
                context.parallelize(Arrays.asList("x", null), 1).collect());
        assertNull(context.parallelize(Arrays.asList((String) null), 1).reduce((left, right) -> left));
    }

    @Test
    void refusesToReduceAnEmptyDataset() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> context.<Integer>parallelize(List.of(), 2).reduce(Integer::sum));
        assertEquals("EMPTY_DATASET", failure.code());
    }

    @Test
    void refusesZeroPartitions() {
        HearthException failure = assertThrows(HearthException.class, () -> context.parallelize(List.of(1), 0));
        assertEquals("BAD_ARGUMENT", failure.code());
    }

    @Test
    void reportsTheExceptionOfATaskAndItsOrigin() {
        Rdd<Integer> failing = context.parallelize(List.of(1, 0), 2).map(number -> 1 / number);
        HearthException failure = assertThrows(HearthException.class, failing::count);
        assertEquals("TASK_FAILED", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).contains("ArithmeticException: / by zero"), failure.getMessage());
        StackTraceElement top = failure.getCause().getStackTrace()[0];
        assertEquals(LocalDriverTest.class.getName(), top.getClassName());
        assertEquals(2, context.parallelize(List.of(1, 2), 2).count(), "the context runs further jobs");
    }

    @Test
    void refusesADatasetInsideAFunction() {
        Rdd<Integer> other = context.parallelize(List.of(1), 1);
        HearthException failure = assertThrows(
                HearthException.class, () -> context.parallelize(List.of(1), 1).map(number -> other.count()));
        assertEquals("NOT_SERIALIZABLE", failure.code());
    }

    @Test
    void isolatesTheMutationsOfTasks() {
        List<Integer> captured = new ArrayList<>();
        Rdd<Integer> sizes = context.parallelize(IntStream.range(0, 8).boxed().toList(), 8)
                .map(number -> {
                    captured.add(number);
                    return captured.size();
                });
        assertEquals(List.of(1, 1, 1, 1, 1, 1, 1, 1), sizes.collect());
        assertEquals(List.of(), captured, "the driver's list is unchanged");
    }

    @Test
    @SuppressWarnings("serial") // the lambda accesses private latches
    void failsRunningAndLaterJobsWhenTheContextIsClosed() throws Exception {
        started = new CountDownLatch(1);
        Rdd<Integer> endless = context.parallelize(List.of(1), 1).map(number -> {
            started.countDown();
            NEVER.await();
            return number;
        });
        var pool = Executors.newSingleThreadExecutor();
        try {
            Future<Long> waiting = pool.submit(endless::count);
            started.await();
            context.close();
            ExecutionException failure = assertThrows(ExecutionException.class, waiting::get);
            assertEquals("CONTEXT_CLOSED", ((HearthException) failure.getCause()).code());
        } finally {
            pool.shutdownNow();
        }
        HearthException later = assertThrows(HearthException.class, endless::count);
        assertEquals("CONTEXT_CLOSED", later.code());
        context.close();
    }

    @Test
    @SuppressWarnings("serial") // the lambda accesses a private latch
    void cancelsTheJobOfAThreadThatIsInterrupted() {
        Rdd<Integer> endless = context.parallelize(List.of(1, 2), 2).map(number -> {
            NEVER.await();
            return number;
        });
        Thread.currentThread().interrupt();
        HearthException failure = assertThrows(HearthException.class, endless::count);
        assertEquals("APPLICATION_KILLED", failure.code());
        assertTrue(Thread.interrupted(), "the interrupt is preserved");
        assertEquals(1, context.parallelize(List.of(1), 1).count(), "its tasks were interrupted: their cores are free");
    }

    @Test
    void runsSeveralContextsSideBySide() {
        HearthContext second = local.open("second", Map.of());
        assertEquals("second", second.applicationName());
        assertEquals(3, second.parallelize(List.of(1, 2, 3), 2).count());
        second.close();
        assertFalse(context.applicationName().isEmpty());
        assertEquals(3, context.parallelize(List.of(1, 2, 3), 2).count());
    }
}
