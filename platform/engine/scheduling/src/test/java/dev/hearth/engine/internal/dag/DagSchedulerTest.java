package dev.hearth.engine.internal.dag;

import static dev.hearth.engine.internal.dag.DagFixture.job;
import static dev.hearth.engine.internal.dag.DagFixture.map;
import static dev.hearth.engine.internal.dag.DagFixture.result;
import static dev.hearth.engine.internal.dag.DagFixture.set;
import static dev.hearth.engine.internal.dag.DagFixture.stage;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.ApplicationEvent.StageCompleted;
import dev.hearth.api.event.ApplicationEvent.StageSubmitted;
import dev.hearth.api.event.StageInfo;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.SetFailed;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs become stages, and stages become task sets, without losses. */
class DagSchedulerTest {
    private static final int DEEP = 20_000;

    private final DagFixture dag = new DagFixture();

    /** Shapes of jobs. Each runs every map stage once, after its parents, and completes. */
    static Stream<Arguments> shapes() {
        return Stream.of(
                Arguments.of("a result alone", List.of(result(2))),
                Arguments.of("a chain", List.of(map(7, 2), map(8, 3, 7), result(2, 8))),
                Arguments.of("a diamond", List.of(map(1, 2), map(2, 1, 1), map(3, 1, 1), result(2, 2, 3))),
                Arguments.of("a join", List.of(map(1, 2), map(2, 2), result(1, 1, 2))),
                Arguments.of("a join with itself", List.of(map(1, 2), result(1, 1, 1))),
                Arguments.of("a skip level", List.of(map(1, 1), map(2, 1, 1), map(3, 1, 2, 1), result(1, 1, 2, 3))),
                Arguments.of("a parent without partitions", List.of(map(1, 0), map(2, 2, 1), result(1, 2))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shapes")
    void runsParentsFirstAndEachStageOnce(String name, List<StagePlan> plans) {
        dag.submit(job(0, plans.toArray(StagePlan[]::new)));
        Set<Integer> made = new LinkedHashSet<>();
        plans.stream().filter(plan -> plan.partitions() == 0).forEach(plan -> made.add(plan.shuffle()));
        for (List<TaskSetId> next = dag.submitted(); !next.isEmpty(); next = dag.submitted()) {
            for (TaskSetId set : next) {
                StagePlan plan = dag.sets.get(set).plan();
                assertEquals(0, set.attempt());
                assertTrue(
                        made.containsAll(plan.parents()), () -> name + ": " + plan.shuffle() + " before its parents");
                dag.succeedAll(set, "a1");
                made.add(plan.shuffle());
            }
        }
        assertEquals(List.of(0), dag.completed);
        assertEquals(
                plans.get(plans.size() - 1).partitions(), dag.results.get(0).size());
        assertEquals(plans.stream().mapToInt(StagePlan::partitions).sum(), dag.counted.size());
        assertEquals(dag.sets.keySet(), dag.over, "every attempt is over");
        assertEquals(Map.of(), dag.cancelled);
        assertFalse(dag.waits());
    }

    @Test
    void startsAllStagesWithoutParentsAtOnce() {
        dag.submit(job(0, map(1, 1), map(2, 1), map(3, 1, 1), result(1, 2, 3)));
        assertEquals(
                List.of(1, 2),
                dag.submitted().stream()
                        .map(set -> dag.sets.get(set).plan().shuffle())
                        .sorted()
                        .toList());
    }

    @Test
    void takesResultsInAnyOrderEachOnce() {
        dag.submit(job(0, new int[] {5, 1, 3}, result(6)));
        TaskSetId only = set(0, 0);
        assertEquals(List.of(1, 3, 5), dag.partitions(only).stream().sorted().toList());
        dag.succeed(only, 3, "a1");
        dag.succeed(only, 3, "a2");
        assertEquals(Set.of(2), dag.results.get(0).keySet());
        dag.succeed(only, 5, "a1");
        assertEquals(List.of(), dag.completed);
        dag.succeed(only, 1, "a1");
        assertEquals(Set.of(0, 1, 2), dag.results.get(0).keySet());
        assertEquals(List.of(0), dag.completed);
        assertEquals(3, dag.counted.size());
    }

    @Test
    void runsAPartitionRequestedTwiceOnceAndDeliversItTwice() {
        dag.submit(job(0, new int[] {2, 0, 2}, result(3)));
        assertEquals(List.of(0, 2), dag.partitions(set(0, 0)));
        dag.succeedAll(set(0, 0), "a1");
        assertEquals(Set.of(0, 1, 2), dag.results.get(0).keySet());
        assertEquals(2, dag.counted.size());
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void completesAJobWithoutPartitionsAtOnce() {
        dag.submit(job(4, result(0)));
        dag.submit(job(5, new int[0], map(1, 2), result(3, 1)));
        assertEquals(List.of(4, 5), dag.completed);
        assertEquals(Map.of(), dag.sets);
        assertEquals(2, dag.events(JobStarted.class).size());
        assertEquals(
                List.of(4, 5),
                dag.events(JobEnded.class).stream().map(JobEnded::job).toList());
        assertEquals(0, dag.activeJobs());
    }

    @Test
    void sharesAStageBetweenJobsThatRunAtTheSameTime() {
        StagePlan shared = map(1, 2);
        dag.submit(job(0, shared, result(1, 1)));
        dag.submit(job(1, shared, map(2, 1, 1), result(1, 2)));
        assertEquals(1, dag.submitted().size(), "its tasks run once");
        dag.succeedAll(set(0, 0), "a1");
        assertEquals(List.of(set(1, 0), set(2, 0)), dag.submitted(), "both readers go on");
        assertEquals(
                List.of(0, 2, 3),
                dag.events(JobStarted.class).get(1).stages().stream()
                        .map(StageInfo::stage)
                        .toList());
    }

    @Test
    void runsASharedStageByThePlanOfTheFirstJobUntilTheLastHasEnded() {
        StagePlan first = map(1, 2);
        StagePlan second = map(1, 2);
        dag.submit(job(0, first, result(1, 1)));
        dag.submit(job(1, second, result(1, 1)));
        dag.cancel((scheduler, now) -> scheduler.cancelJob(0, "enough", now));
        assertTrue(dag.isInUse(first), "the other job goes on by it");
        assertFalse(dag.isInUse(second));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeedAll(set(2, 0), "a1");
        assertEquals(List.of(1), dag.completed);
        assertFalse(dag.isInUse(first));
    }

    @Test
    void skipsAStageWithOutputsOfAnEarlierJob() {
        dag.submit(job(0, map(1, 2), map(2, 2, 1), result(1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeedAll(set(1, 0), "a1");
        dag.succeedAll(set(2, 0), "a1");
        dag.submitted();

        dag.submit(job(1, map(1, 2), map(2, 2, 1), map(3, 2, 1), result(2, 2, 3)));
        List<StageInfo> stages = dag.events(JobStarted.class).get(1).stages();
        assertEquals(4, stages.size(), "skipped ones are published too");
        assertEquals(List.of(3, 4, 5, 6), stages.stream().map(StageInfo::stage).toList(), "under new ids");
        assertEquals(List.of(set(5, 0)), dag.submitted(), "only what is missing runs");
        dag.succeedAll(set(5, 0), "a1");
        dag.succeedAll(set(6, 0), "a1");
        assertEquals(List.of(0, 1), dag.completed);
        assertEquals(5, dag.events(StageSubmitted.class).size());
    }

    @Test
    void ranksASharedStageByTheOldestJobThatStillNeedsIt() {
        StagePlan shared = map(1, 1);
        dag.submit(job(3, shared, result(1, 1)));
        dag.submit(job(4, shared, result(1, 1)));
        assertEquals(3, dag.sets.get(set(0, 0)).job());
        assertEquals("pool3", dag.sets.get(set(0, 0)).pool());
        dag.succeedAll(set(0, 0), "a1");
        dag.cancel((scheduler, now) -> scheduler.cancelJob(3, "enough", now));
        dag.fetchFailed(set(2, 0), 1, 0, "a1");
        dag.wake();
        assertEquals(4, dag.sets.get(set(0, 1)).job());
        assertEquals("pool4", dag.sets.get(set(0, 1)).pool());
    }

    @Test
    void followsALineageOfManyThousandShuffles() {
        List<StagePlan> plans = new ArrayList<>();
        plans.add(map(0, 1));
        for (int shuffle = 1; shuffle < DEEP; shuffle++) {
            plans.add(map(shuffle, 1, shuffle - 1));
        }
        plans.add(result(1, DEEP - 1));
        dag.submit(job(0, plans.toArray(StagePlan[]::new)));
        for (int stage = 0; stage <= DEEP; stage++) {
            assertEquals(List.of(set(stage, 0)), dag.submitted());
            dag.succeedAll(set(stage, 0), stage % 2 == 0 ? "a1" : "b1");
        }
        assertEquals(List.of(0), dag.completed);

        dag.lose("a1");
        dag.submit(job(1, plans.toArray(StagePlan[]::new)));
        assertEquals(1, dag.submitted().size(), "only the last one's output is needed");
        dag.cancel((scheduler, now) -> scheduler.cancelJob(1, "enough", now));
        assertEquals(0, dag.activeJobs());
    }

    @Test
    void failsAllJobsOfAFailedStage() {
        StagePlan shared = map(1, 2);
        dag.submit(job(0, shared, result(1, 1)));
        dag.submit(job(1, shared, result(1, 1)));
        dag.submit(job(2, map(2, 1), result(1, 2)));
        var failure = ErrorCode.TASK_FAILED.failure("task 3: failed 4 times");
        dag.act(scheduler -> scheduler.setFailed(new SetFailed(set(0, 0), failure), dag.now()));
        assertEquals(Map.of(0, failure, 1, failure), dag.failed);
        assertEquals(
                List.of("task 3: failed 4 times", "task 3: failed 4 times"),
                dag.events(JobEnded.class).stream().map(JobEnded::failure).toList());
        assertEquals(1, dag.activeJobs());
        dag.succeed(set(0, 0), 0, "a1");
        assertEquals(0, dag.counted.size(), "later successes do not count");
    }

    @Test
    void publishesTheSummedMetricsOfAStage() {
        dag.submit(job(0, map(1, 2), result(1, 1)));
        dag.ended(set(0, 0), 1, "a1");
        dag.pass(Duration.ofMillis(30));
        dag.succeedAll(set(0, 0), "a1");
        StageCompleted completed = dag.events(StageCompleted.class).get(0);
        assertEquals(3, completed.metrics().runNanos());
        assertEquals("", completed.failure());
        assertEquals(30, completed.atMillis() - completed.submittedMillis());
        assertEquals(2, completed.stage().tasks());
        StageInfo reader = dag.events(StageSubmitted.class).get(1).stage();
        assertEquals(List.of(0), reader.parents());
        assertEquals("pool0", reader.pool());
    }

    @Test
    void refusesInvalidPlans() {
        List<JobSpec> bad = List.of(
                job(0, map(1, 1, 2), map(2, 1), result(1, 1)),
                job(0, map(1, 1), map(1, 1), result(1, 1)),
                job(0, map(1, 1)),
                job(0, result(1), result(1)),
                job(0, new int[] {3}, result(3)),
                job(0, new int[] {-1}, result(3)));
        for (JobSpec job : bad) {
            assertThrows(IllegalArgumentException.class, () -> dag.submit(job));
        }
        dag.submit(job(0, map(1, 1), result(1, 1)));
        assertThrows(IllegalStateException.class, () -> dag.submit(job(0, result(1))), "twice the same id");
        assertThrows(
                IllegalArgumentException.class,
                () -> dag.submit(job(1, map(1, 2), result(1, 1))),
                "another number of partitions");
    }

    @Test
    void forgetsAShuffleOnceNoJobUsesIt() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.act(scheduler -> scheduler.forgetShuffle(1));
        dag.act(scheduler -> assertEquals(
                Optional.of(new MapOutputLocation(new ExecutorId("a1"), "a")),
                scheduler.mapOutputLocations(1).orElseThrow().holder(0)));
        dag.succeedAll(set(1, 0), "a1");
        dag.act(scheduler -> assertEquals(Optional.empty(), scheduler.mapOutputLocations(1)));
        dag.submit(job(1, map(1, 1), result(1, 1)));
        dag.act(scheduler -> scheduler.forgetShuffle(9));
        assertEquals(set(2, 0), List.copyOf(dag.sets.keySet()).get(2), "it is recomputed");
    }

    @Test
    void knowsTheUseOfTheOutputsOnAnExecutor() {
        assertEquals(ShuffleUse.NONE, use("a1"));
        dag.submit(job(0, map(1, 2), map(2, 1, 1), result(1, 2)));
        dag.succeed(set(0, 0), 0, "a1");
        dag.succeed(set(0, 0), 1, "b1");
        assertEquals(ShuffleUse.NEEDED, use("a1"));
        assertEquals(ShuffleUse.NONE, use("c1"));
        assertEquals(List.of(new MapOutputId(1, 0)), outputsOn("a1"));
        dag.succeedAll(set(1, 0), "b1");
        assertEquals(List.of(new MapOutputId(1, 1), new MapOutputId(2, 0)), outputsOn("b1"));
        dag.succeedAll(set(2, 0), "a1");
        assertEquals(ShuffleUse.READABLE, use("a1"), "its job has ended");
        dag.submit(job(1, map(1, 2), result(1, 1)));
        assertEquals(ShuffleUse.NEEDED, use("a1"));
        dag.act(scheduler -> scheduler.forgetShuffle(1));
        assertEquals(ShuffleUse.NEEDED, use("a1"), "a job reads it");
        assertEquals(List.of(), outputsOn("a1"), "not worth a migration");
        dag.cancel((scheduler, now) -> scheduler.cancelJob(1, "enough", now));
        assertEquals(ShuffleUse.NONE, use("a1"));
    }

    private ShuffleUse use(String executor) {
        ShuffleUse[] use = new ShuffleUse[1];
        dag.act(scheduler -> use[0] = scheduler.shuffles(new ExecutorId(executor)));
        return use[0];
    }

    private List<MapOutputId> outputsOn(String executor) {
        List<MapOutputId> outputs = new ArrayList<>();
        dag.act(scheduler -> outputs.addAll(scheduler.outputsOn(new ExecutorId(executor))));
        return outputs;
    }

    @Test
    void checksOnlyThatABarrierJobWantsAllPartitions() {
        dag.act(scheduler -> scheduler.slots(9, dag.now()));
        dag.submit(job(0, new int[] {0}, stage(StagePlan.RESULT, 2, true)));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), dag.failed.get(0).code());
        dag.submit(job(1, stage(StagePlan.RESULT, 2, true)));
        assertEquals(List.of(set(0, 0)), dag.submitted());
    }

    /** Stages of random graphs, whose tasks succeed in random order: every job ends with all its results. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void completesEveryJobOfAnyGraph(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<StagePlan> maps = new ArrayList<>();
        for (int shuffle = 0; shuffle < 12; shuffle++) {
            Integer[] parents = random.ints(random.nextInt(3), 0, Math.max(1, shuffle))
                    .filter(parent -> parent < maps.size())
                    .distinct()
                    .boxed()
                    .toArray(Integer[]::new);
            maps.add(map(shuffle, random.nextInt(4), parents));
        }
        for (int id = 0; id < 5; id++) {
            int last = random.nextInt(maps.size());
            List<StagePlan> plans = new ArrayList<>(maps.subList(0, last + 1));
            plans.add(result(2, last));
            dag.submit(job(id, plans.toArray(StagePlan[]::new)));
        }
        List<TaskSetId> running = new ArrayList<>(dag.submitted());
        while (!running.isEmpty()) {
            dag.succeedAll(running.remove(random.nextInt(running.size())), "a1");
            running.addAll(dag.submitted());
        }
        assertEquals(5, dag.completed.size(), "seed " + seed);
        long distinct = dag.sets.values().stream()
                .map(set -> set.plan().shuffle())
                .filter(shuffle -> shuffle >= 0)
                .distinct()
                .count();
        assertEquals(distinct + 5, dag.sets.size(), "no shuffle was computed twice");
    }

    static Stream<Long> seeds() {
        return Stream.iterate(1L, seed -> seed + 1).limit(50);
    }
}
