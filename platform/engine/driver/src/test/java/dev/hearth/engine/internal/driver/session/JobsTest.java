package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Placed;
import dev.hearth.api.Rdd;
import dev.hearth.api.StatusTracker;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.api.task.TaskContext;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the results and the control of jobs, through the whole driver with an executor in this process. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class JobsTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private static volatile CountDownLatch begun = new CountDownLatch(1);
    private static volatile CountDownLatch interrupted = new CountDownLatch(1);
    private static final AtomicInteger RUNS = new AtomicInteger();

    private static List<Integer> numbers(int until) {
        return IntStream.range(0, until).boxed().toList();
    }

    @Test
    void runsTheJobsOfTakeInTheGroupOfTheCaller() throws Exception {
        HearthContext context = local.open();
        StartedJobs jobs = new StartedJobs(context);
        context.jobGroup("taking", "takes some", false);
        context.addJobTag("tagged");
        Rdd<Integer> numbers = context.parallelize(numbers(100), 50);
        JobFuture<List<Integer>> taken = numbers.takeAsync(60);
        context.clearJobGroup();
        context.clearJobTags();
        assertEquals(numbers(60), taken.get(30, TimeUnit.SECONDS));
        assertTrue(taken.jobs().size() > 2, "scans more and more partitions: " + taken.jobs());
        List<ApplicationEvent.JobStarted> started = jobs.soFar();
        assertEquals(
                taken.jobs(),
                started.stream().map(ApplicationEvent.JobStarted::job).toList());
        started.forEach(job -> {
            assertEquals("taking", job.group());
            assertEquals("takes some", job.description());
            assertEquals(List.of("tagged"), job.tags());
        });
    }

    @Test
    void jobsHaveTheTagsAndTheCallSiteOfTheirThread() throws Exception {
        HearthContext context = local.open(Map.of("hearth.default.parallelism", "7"));
        assertEquals(2, context.defaultMinPartitions(), "the default for files");
        assertEquals(7, context.defaultParallelism());
        StartedJobs jobs = new StartedJobs(context);
        Rdd<Integer> numbers = context.parallelize(numbers(4), 2);
        assertEquals(Set.of(), context.jobTags());
        context.addJobTag("one");
        context.addJobTag("two");
        context.callSite("the report of Monday");
        numbers.count();
        context.removeJobTag("one");
        context.removeJobTag("never added");
        assertEquals(Set.of("two"), context.jobTags());
        context.callSite(null);
        numbers.count();
        context.removeJobTag("two");
        assertEquals(Set.of(), context.jobTags());
        List<ApplicationEvent.JobStarted> started = jobs.soFar();
        assertEquals(
                List.of(List.of("one", "two"), List.of("two")),
                started.stream().map(ApplicationEvent.JobStarted::tags).toList());
        assertTrue(started.get(0).name().contains("the report of Monday"), started.get(0)::name);
        assertTrue(started.get(1).name().startsWith("count at "), started.get(1)::name);
    }

    @Test
    void shufflesPairsByKey() {
        HearthContext context = local.open();
        PairRdd<Integer, Integer> pairs = context.parallelize(numbers(1_000), 7).mapToPair(n -> Pair.of(n % 10, n));
        Map<Integer, Integer> sums = pairs.reduceByKey(Integer::sum, 3).collectAsMap();
        assertEquals(10, sums.size());
        assertEquals(IntStream.range(0, 100).map(i -> i * 10 + 4).sum(), sums.get(4));
        PairRdd<Integer, List<Integer>> groups = pairs.groupByKey(4);
        assertEquals(4, groups.partitions());
        Map<Integer, Integer> sizes = groups.mapValues(List::size).collectAsMap();
        assertEquals(Collections.nCopies(10, 100), new ArrayList<>(sizes.values()));
        assertEquals(
                Map.of(true, 500L, false, 500L),
                context.parallelize(numbers(1_000), 5)
                        .groupBy(n -> n % 2 == 0)
                        .mapValues(list -> (long) list.size())
                        .collectAsMap());
    }

    @Test
    void reusesAnExistingShuffle() {
        HearthContext context = local.open();
        RUNS.set(0);
        PairRdd<String, Integer> counted = context.parallelize(List.of("a", "b", "a"), 3)
                .mapToPair(word -> {
                    RUNS.incrementAndGet();
                    return Pair.of(word, 1);
                })
                .reduceByKey(Integer::sum, 2);
        assertEquals(Map.of("a", 2, "b", 1), counted.collectAsMap());
        assertEquals(Map.of("a", 2, "b", 1), counted.collectAsMap());
        assertEquals(3, RUNS.get());
        assertEquals(
                Map.of(2, 1L, 1, 1L),
                counted.values()
                        .keyBy(count -> count)
                        .groupByKey(1)
                        .mapValues(list -> (long) list.size())
                        .collectAsMap());
        assertEquals(3, RUNS.get());
    }

    @Test
    void keepsNullKeysAndValues() {
        HearthContext context = local.open();
        Map<String, List<Integer>> groups = context.parallelize(Arrays.asList(1, null, 3), 2)
                .mapToPair(n -> Pair.of(n == null ? null : "odd", n))
                .groupByKey(3)
                .collectAsMap();
        Map<String, List<Integer>> expected = new HashMap<>();
        expected.put(null, Collections.singletonList(null));
        expected.put("odd", List.of(1, 3));
        assertEquals(expected, groups);
    }

    @Test
    void takesFromAsFewPartitionsAsPossible() {
        HearthContext context = local.open();
        RUNS.set(0);
        Rdd<Integer> looked = context.parallelize(numbers(100), 50).map(n -> {
            RUNS.incrementAndGet();
            return n;
        });
        assertEquals(List.of(0, 1), looked.take(2));
        assertEquals(2, RUNS.get());
        assertEquals(numbers(11), looked.take(11));
        assertEquals(0, looked.first());
        assertFalse(looked.isEmpty());
        assertTrue(context.parallelize(List.of(), 3).isEmpty());
        assertEquals(List.of(), looked.take(0));
        assertEquals(numbers(100), looked.take(1_000));
    }

    @Test
    void mergesTheUpdatesOfSuccessfulTasksOnce() {
        HearthContext context = local.open(Map.of("hearth.task.maxFailures", "3"));
        Accumulator<Long, Long> sum = context.longAccumulator("sum");
        Accumulator<String, List<String>> seen = context.collectingAccumulator("seen");
        context.parallelize(numbers(100), 10).foreach(n -> {
            sum.add((long) n);
            if (n % 50 == 0) {
                seen.add("n" + n);
            }
            if (n == 42 && TaskContext.current().attempt() == 0) {
                throw new IllegalStateException("once");
            }
        });
        assertEquals(4_950, sum.value());
        assertEquals(List.of("n0", "n50"), seen.value().stream().sorted().toList());
        sum.add(50L);
        assertEquals(5_000, sum.value());
    }

    @Test
    void broadcastsUntilDestroyed() {
        HearthContext context = local.open();
        Broadcast<List<Integer>> weights = context.broadcast(new ArrayList<>(List.of(5, 7)));
        Rdd<Integer> weighed =
                context.parallelize(List.of(0, 1), 2).map(i -> weights.value().get(i));
        assertEquals(List.of(5, 7), weighed.collect());
        weights.destroy();
        assertThrows(HearthException.class, weighed::collect);
        assertThrows(HearthException.class, weights::value);
    }

    @Test
    void givesTasksTheirContext() {
        HearthContext context = local.open();
        context.localProperty("colour", "red");
        context.localProperty("spark.scheduler.pool", "fast");
        List<String> descriptions = context.runJob(
                context.parallelize(numbers(10), 5),
                (task, elements) -> task.partition() + "/" + task.partitions() + " " + task.attempt() + " "
                        + task.localProperty("colour").orElse("none") + " " + elements.next(),
                List.of(4, 0));
        assertEquals(List.of("4/5 0 red 8", "0/5 0 red 0"), descriptions);
        assertEquals("fast", context.localProperty("hearth.scheduler.pool").orElseThrow());
    }

    @Test
    void runsAsynchronousJobs() throws Exception {
        HearthContext context = local.open();
        Rdd<Integer> numbers = context.parallelize(numbers(100), 4);
        assertEquals(100, numbers.countAsync().get(30, TimeUnit.SECONDS));
        assertEquals(numbers(100), numbers.collectAsync().get(30, TimeUnit.SECONDS));
        JobFuture<Void> failing = numbers.foreachAsync(n -> {
            throw new IllegalStateException("no " + n);
        });
        ExecutionException failure = assertThrows(ExecutionException.class, () -> failing.get(30, TimeUnit.SECONDS));
        assertEquals("TASK_FAILED", ((HearthException) failure.getCause()).code());
        assertEquals(1, failing.jobs().size());
    }

    @Test
    void cancelsByFutureGroupTagAndStage() throws Exception {
        HearthContext context = local.open();
        for (String how : List.of("future", "group", "tag", "job", "stage", "all")) {
            begun = new CountDownLatch(1);
            interrupted = new CountDownLatch(1);
            context.jobGroup("slow ones", "long jobs", true);
            context.addJobTag("slow");
            JobFuture<Void> slow = context.parallelize(List.of(1), 1).foreachAsync(n -> waitForInterrupt());
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            int job = slow.jobs().get(0);
            switch (how) {
                case "future" -> slow.cancel("enough");
                case "group" -> context.cancelJobGroup("slow ones", "enough", false);
                case "tag" -> context.cancelJobsWithTag("slow", "enough");
                case "job" -> context.cancelJob(job, "enough");
                case "stage" -> context.cancelStage(stageOf(context, job), "enough");
                default -> context.cancelAllJobs("enough");
            }
            ExecutionException failure =
                    assertThrows(ExecutionException.class, () -> slow.get(30, TimeUnit.SECONDS), how);
            HearthException why = (HearthException) failure.getCause();
            assertEquals("JOB_CANCELLED", why.code(), how);
            assertTrue(String.valueOf(why.getMessage()).contains("enough"), how);
            assertTrue(interrupted.await(30, TimeUnit.SECONDS), how);
        }
        context.clearJobGroup();
        assertEquals(3, context.parallelize(List.of(1, 2, 3), 3).count(), "the cores are free again");
    }

    /**
     * The stage of a job, once the status tracker shows it: the status is a moment old and may show the previous job.
     */
    private static int stageOf(HearthContext context, int job) {
        Optional<StatusTracker.JobStatus> known = context.statusTracker().job(job);
        while (known.isEmpty()) {
            Thread.onSpinWait();
            known = context.statusTracker().job(job);
        }
        return known.get().stages().get(0);
    }

    private static void waitForInterrupt() {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException killed) {
            interrupted.countDown();
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void runsBarrierTasksTogether() {
        HearthContext context = local.open();
        List<String> gathered = context.parallelize(numbers(4), 2)
                .barrier()
                .mapPartitions(elements -> {
                    BarrierTaskContext task = BarrierTaskContext.current();
                    task.barrier();
                    List<String> all = task.allGather("from " + task.partition());
                    return List.of(all + " " + task.addresses().size()).iterator();
                })
                .collect();
        assertEquals(Collections.nCopies(2, "[from 0, from 1] 2"), gathered);
    }

    @Test
    void refusesBarrierStagesThatCannotFit() {
        HearthContext context = local.open(Map.of(
                "hearth.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s",
                "hearth.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "0"));
        Rdd<Integer> wide = context.parallelize(numbers(8), 8).barrier().mapPartitions(elements -> elements);
        HearthException failure = assertThrows(HearthException.class, wide::count);
        assertTrue(String.valueOf(failure.getMessage()).contains("barrier"), failure.getMessage());
    }

    @Test
    void letsOneAttemptPerPartitionCommit() {
        HearthContext context = local.open();
        List<Boolean> allowed = context.runJob(
                context.parallelize(numbers(4), 4), (task, elements) -> task.mayCommit(), List.of(0, 1, 2, 3));
        assertEquals(Collections.nCopies(4, true), allowed);
    }

    @Test
    void honoursPreferredLocations() {
        HearthContext context = local.open();
        Rdd<String> placed = context.parallelizeAt(
                List.of(new Placed<>("a", List.of("localhost")), new Placed<>("b", List.of("elsewhere"))));
        assertEquals(List.of("a", "b"), placed.collect());
    }

    @Test
    void publishesAllEventsOfAnApplication() {
        HearthContext context = local.open();
        ConcurrentLinkedQueue<ApplicationEvent> received = new ConcurrentLinkedQueue<>();
        context.addListener(received::add);
        context.parallelize(numbers(4), 2)
                .mapToPair(n -> Pair.of(n % 2, n))
                .reduceByKey(Integer::sum, 2)
                .count();
        context.close();
        List<String> kinds = received.stream()
                .map(event -> event.getClass().getSimpleName())
                .distinct()
                .toList();
        assertEquals(
                List.of(
                        "JobStarted",
                        "StageSubmitted",
                        "TaskStarted",
                        "TaskEnded",
                        "StageCompleted",
                        "JobEnded",
                        "ExecutorRemoved",
                        "ApplicationEnded"),
                kinds.stream().filter(kind -> !kind.equals("ExecutorAdded")).toList());
        assertEquals(
                4,
                received.stream()
                        .filter(ApplicationEvent.TaskEnded.class::isInstance)
                        .count());
        assertEquals(
                2,
                received.stream()
                        .filter(ApplicationEvent.StageCompleted.class::isInstance)
                        .count());
    }

    @Test
    void releasesDroppedBroadcastsAndKeepsReachableOnes() throws Exception {
        HearthContext context = local.open();
        List<Integer> mutable = new ArrayList<>(List.of(1));
        Rdd<Integer> reading = readingADroppedHandle(context, mutable);
        WeakReference<byte[]> dropped = new WeakReference<>(broadcastAndDrop(context));
        for (int tries = 0; tries < 200 && dropped.get() != null; tries++) {
            System.gc();
            assertEquals(2, context.parallelize(List.of(1, 2), 2).count()); // a job releases what was dropped
        }
        assertNull(dropped.get());
        assertEquals(List.of(8, 8), reading.collect(), "its function still refers to the value");
    }

    private static Rdd<Integer> readingADroppedHandle(HearthContext context, List<Integer> mutable) {
        Broadcast<Integer> seven = context.broadcast(7);
        return context.parallelize(List.of(1, 2), 2).map(n -> seven.value() + mutable.size());
    }

    private static byte[] broadcastAndDrop(HearthContext context) {
        byte[] value = new byte[1024];
        assertEquals(value, context.broadcast(value).value());
        return value;
    }
}
