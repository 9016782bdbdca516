package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.task.TaskContext;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests wrong and unlucky applications: each has a clear outcome, and the next job works. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class WrongUseTest {
    private static volatile CountDownLatch begun = new CountDownLatch(1);
    private static volatile CountDownLatch goOn = new CountDownLatch(1);

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    /** An object that cannot be serialised. */
    private static final class Connection {
        private final int port = 7;
    }

    private static final class Service implements java.io.Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // the mistake under test
        private final Connection connection = new Connection();
    }

    @Test
    void namesTheCaptureThatCannotBeSerialisedAndItsOrigin() {
        HearthContext context = local.open();
        Service service = new Service();
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2), 2);
        HearthException failure =
                assertThrows(HearthException.class, () -> numbers.map(n -> n + service.connection.port));
        assertEquals("NOT_SERIALIZABLE", failure.code());
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("map"), message);
        assertTrue(message.contains("connection"), message);
        assertTrue(message.contains("WrongUseTest"), message);
    }

    @Test
    void isolatesTheChangesOfTasks() {
        HearthContext context = local.open();
        List<Integer> captured = new ArrayList<>(List.of(1));
        Rdd<Integer> sizes = context.parallelize(Collections.nCopies(100, 1), 100)
                .map(n -> {
                    captured.add(n);
                    return captured.size();
                });
        captured.add(99); // after the capture
        assertEquals(Collections.nCopies(100, 2), sizes.collect());
        assertEquals(2, captured.size());
        List<int[]> shared = List.of(new int[] {0}, new int[] {0});
        Rdd<Integer> counted = context.parallelize(shared, 2).map(cell -> ++cell[0]);
        assertEquals(List.of(1, 1), counted.collect());
        assertEquals(List.of(1, 1), counted.collect());
    }

    @Test
    void showsTheUsersFramesFirst() {
        HearthContext context = local.open();
        HearthException failure = assertThrows(
                HearthException.class,
                () -> context.parallelize(List.of(0), 1).map(n -> 1 / n).count());
        StackTraceElement[] frames = failure.getCause().getStackTrace();
        assertEquals(WrongUseTest.class.getName(), frames[0].getClassName());
        assertTrue(String.valueOf(failure.getMessage()).contains("/ by zero"), failure.getMessage());
    }

    @Test
    void refusesTheContextInsideATask() {
        HearthContext context = local.open();
        Rdd<Integer> other = context.parallelize(List.of(1, 2, 3), 1);
        HearthException failure = assertThrows(
                HearthException.class,
                () -> context.parallelize(List.of(1), 1)
                        .map(n -> InTask.count(n))
                        .collect());
        assertEquals("TASK_FAILED", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("inside a task"), failure.getMessage());
        assertEquals(3, other.count());
    }

    /** Reads the context through a static field, as a captured context could not be serialised. */
    private static final class InTask {
        private static volatile HearthContext context;

        static long count(int n) {
            return context.parallelize(List.of(n), 1).count();
        }
    }

    {
        InTask.context = local.open(Map.of("hearth.app.name", "the one inside"));
    }

    @Test
    void refusesToCaptureTheContext() {
        HearthContext context = local.open();
        Rdd<Integer> numbers = context.parallelize(List.of(1), 1);
        assertEquals(
                "NOT_SERIALIZABLE",
                assertThrows(
                                HearthException.class,
                                () -> numbers.map(
                                        n -> context.parallelize(List.of(n), 1).count()))
                        .code());
        assertEquals(
                "NOT_SERIALIZABLE",
                assertThrows(HearthException.class, () -> numbers.map(n -> numbers.count()))
                        .code());
    }

    @Test
    void closesDuringAJob() throws Exception {
        HearthContext context = local.open();
        begun = new CountDownLatch(2);
        JobFuture<Long> waiting = context.parallelize(List.of(1, 2), 2)
                .map(n -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return n;
                })
                .countAsync();
        assertTrue(begun.await(30, TimeUnit.SECONDS));
        context.close();
        ExecutionException failure = assertThrows(ExecutionException.class, () -> waiting.get(30, TimeUnit.SECONDS));
        assertEquals("CONTEXT_CLOSED", ((HearthException) failure.getCause()).code());
        context.close();
        HearthException late = assertThrows(
                HearthException.class, () -> context.parallelize(List.of(1), 1).count());
        assertEquals("CONTEXT_CLOSED", late.code());
        assertEquals(
                "context of test: closed (expected: open until its last job has ended); wait for its jobs first, or"
                        + " open another",
                late.getMessage());
    }

    @Test
    void keepsTwoContextsWithDifferentSettingsApart() {
        HearthContext once = local.open(Map.of("hearth.task.maxFailures", "1", "hearth.default.parallelism", "3"));
        HearthContext thrice = local.open(Map.of("hearth.task.maxFailures", "3", "hearth.default.parallelism", "5"));
        assertEquals(3, once.parallelize(List.of(1)).partitions());
        assertEquals(5, thrice.parallelize(List.of(1)).partitions());
        assertThrows(HearthException.class, () -> failingTwice(once));
        assertEquals(1, failingTwice(thrice));
        once.close();
        assertEquals(1, failingTwice(thrice));
    }

    private static long failingTwice(HearthContext context) {
        return context.parallelize(List.of(1), 1)
                .map(n -> {
                    if (TaskContext.current().attempt() < 2) {
                        throw new IllegalStateException("not yet");
                    }
                    return n;
                })
                .count();
    }

    @Test
    void continuesDespiteAListenerThatBlocksOrThrows() {
        HearthContext context = local.open();
        goOn = new CountDownLatch(1);
        AtomicInteger events = new AtomicInteger();
        context.addListener(event -> {
            try {
                goOn.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        context.addListener(event -> {
            throw new IllegalStateException("failure of a listener");
        });
        context.addListener(event -> events.incrementAndGet());
        for (int i = 0; i < 50; i++) {
            assertEquals(2, context.parallelize(List.of(1, 2), 2).count());
        }
        goOn.countDown();
        context.close();
        assertTrue(events.get() >= 50 * 8, () -> "events " + events.get());
    }

    @Test
    void freesTheCoreOfATaskThatIgnoresItsKill() {
        HearthContext context = local.open(Map.of(
                "hearth.task.reaper.enabled", "true",
                "hearth.task.reaper.pollingInterval", "50ms",
                "hearth.task.reaper.killTimeout", "200ms"));
        begun = new CountDownLatch(2);
        goOn = new CountDownLatch(1);
        JobFuture<Void> stubborn = context.parallelize(List.of(1, 2), 2).foreachAsync(n -> {
            begun.countDown();
            while (goOn.getCount() > 0) {
                Thread.onSpinWait(); // ignores interrupts
            }
        });
        try {
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            stubborn.cancel(true);
            assertEquals(
                    45,
                    context.parallelize(IntStream.range(0, 10).boxed().toList(), 4)
                            .reduce(Integer::sum));
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        } finally {
            goOn.countDown();
        }
    }

    @Test
    void failsTheTaskOfAStackOverflowAndContinues() {
        HearthContext context = local.open();
        HearthException failure = assertThrows(
                HearthException.class,
                () -> context.parallelize(List.of(1), 1)
                        .map(WrongUseTest::deeper)
                        .count());
        assertTrue(String.valueOf(failure.getMessage()).contains("StackOverflowError"), failure.getMessage());
        assertEquals(1, context.parallelize(List.of(1), 1).count());
    }

    @SuppressWarnings("InfiniteRecursion") // the mistake under test
    private static int deeper(int n) {
        return deeper(n + 1) + 1;
    }

    @Test
    void boundsTheSizeOfResults() {
        HearthContext context = local.open(Map.of("hearth.driver.maxResultSize", "1m"));
        HearthException failure = assertThrows(
                HearthException.class,
                () -> context.parallelize(List.of(1, 2, 3, 4), 4)
                        .map(n -> new byte[512 * 1024])
                        .collect());
        assertTrue(String.valueOf(failure.getMessage()).contains("hearth.driver.maxResultSize"), failure.getMessage());
    }

    @Test
    void refusesArraysAsKeys() {
        HearthContext context = local.open();
        for (PairRdd<?, ?> brought : List.of(
                context.parallelize(List.of(1, 1), 2)
                        .mapToPair(n -> Pair.of(new byte[] {1}, n))
                        .groupByKey(),
                context.parallelize(List.of(1, 1), 2)
                        .mapToPair(n -> Pair.of(new int[] {1}, n))
                        .reduceByKey(Integer::sum))) {
            HearthException failure = assertThrows(HearthException.class, brought::count);
            assertTrue(String.valueOf(failure.getMessage()).contains("an array"), failure.getMessage());
        }
    }

    /** A list whose {@code toArray} returns its own array. */
    private static final class Bare extends AbstractList<Integer> {
        private final Integer[] held;

        Bare(Integer... held) {
            this.held = held;
        }

        @Override
        public Integer get(int index) {
            return held[index];
        }

        @Override
        public int size() {
            return held.length;
        }

        @Override
        public Object[] toArray() {
            return held;
        }
    }

    @Test
    void copiesElementsAtTheCall() {
        HearthContext context = local.open();
        Integer[] held = {1, 2};
        Rdd<Integer> numbers = context.parallelize(new Bare(held), 2);
        held[0] = 99;
        assertEquals(List.of(1, 2), numbers.collect());
    }

    @Test
    @SuppressWarnings("NullAway") // the mistake under test
    void refusesANullFunctionAtTheCall() {
        Rdd<Integer> numbers = local.open().parallelize(List.of(1), 1);
        assertTrue(String.valueOf(assertThrows(HearthException.class, () -> numbers.filter(null))
                        .getMessage())
                .contains("filter: null"));
    }

    @Test
    void closesCompletelyOnAnInterruptedThread() throws Exception {
        for (int i = 0; i < 20; i++) {
            HearthContext context = local.open();
            JobFuture<Long> waiting = context.parallelize(List.of(1), 1)
                    .map(n -> {
                        new CountDownLatch(1).await();
                        return n;
                    })
                    .countAsync();
            Thread.currentThread().interrupt();
            context.close();
            assertTrue(Thread.interrupted(), "the interrupt is preserved");
            ExecutionException failure =
                    assertThrows(ExecutionException.class, () -> waiting.get(30, TimeUnit.SECONDS));
            assertEquals("CONTEXT_CLOSED", ((HearthException) failure.getCause()).code());
        }
    }

    @Test
    void runsAPartitionAsOftenAsRequested() {
        HearthContext context = local.open();
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3), 3);
        assertEquals(List.of(3, 1, 3), context.runJob(numbers, (task, elements) -> elements.next(), List.of(2, 0, 2)));
        assertEquals(List.of(), context.runJob(numbers, (task, elements) -> elements.next(), List.of()));
    }

    @Test
    void refusesAPartitionThatDoesNotExist() {
        HearthContext context = local.open();
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3), 3);
        for (int partition : new int[] {-1, 3, Integer.MAX_VALUE}) {
            HearthException failure = assertThrows(
                    HearthException.class,
                    () -> context.runJob(numbers, (task, elements) -> elements.next(), List.of(0, partition)));
            assertEquals("BAD_ARGUMENT", failure.code());
            String expected = "partition " + partition + " (expected: 0 to 2, for the dataset has 3)";
            assertTrue(String.valueOf(failure.getMessage()).endsWith(expected), failure::getMessage);
        }
        assertEquals(3, numbers.count(), "no job has begun");
    }

    /** An error whose methods all throw. */
    private static final class Hostile extends VirtualMachineError {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("asked for its message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("asked for its text");
        }

        @Override
        public synchronized Throwable getCause() {
            return this;
        }

        @Override
        @SuppressWarnings("NullAway")
        public StackTraceElement[] getStackTrace() {
            return null;
        }
    }

    @Test
    void survivesErrorsThatCannotEvenBeDescribed() {
        HearthContext context = local.open();
        for (int i = 0; i < LocalContext.CORES + 1; i++) {
            HearthException failure = assertThrows(
                    HearthException.class,
                    () -> context.parallelize(List.of(1, 2), 2)
                            .map(n -> {
                                throw new Hostile();
                            })
                            .count());
            assertTrue(String.valueOf(failure.getMessage()).contains("Hostile"), failure.getMessage());
        }
        assertEquals(2, context.parallelize(List.of(1, 2), 2).count());
    }
}
