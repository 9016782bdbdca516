package dev.hearth.engine.internal.dag;

import static dev.hearth.engine.internal.dag.DagFixture.job;
import static dev.hearth.engine.internal.dag.DagFixture.map;
import static dev.hearth.engine.internal.dag.DagFixture.result;
import static dev.hearth.engine.internal.dag.DagFixture.set;
import static dev.hearth.engine.internal.dag.DagFixture.stage;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.StageCompleted;
import dev.hearth.api.event.ApplicationEvent.StageSubmitted;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.SetFailed;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fetch failures, lost executors, and late reports of older attempts. */
class DagFailureTest {
    private static final DagSettings BASE = DagFixture.SETTINGS;
    private static final int MANY = 6; // more than may fail in a row

    private final DagFixture dag = new DagFixture();

    @Test
    void recomputesLostOutputsAndRetriesTheReader() {
        dag.submit(job(0, map(1, 3), result(2, 1)));
        dag.succeed(set(0, 0), 0, "a1");
        dag.succeed(set(0, 0), 1, "b1");
        dag.succeed(set(0, 0), 2, "a1");
        dag.submitted();
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        assertEquals(List.of(), dag.submitted(), "failures gather for a moment");
        dag.wake();
        assertEquals(List.of(set(0, 1)), dag.submitted());
        assertEquals(List.of(0, 2), dag.partitions(set(0, 1)), "all that executor had, and nothing else");
        dag.succeedAll(set(0, 1), "b1");
        assertEquals(List.of(set(1, 1)), dag.submitted());
        assertEquals(List.of(0, 1), dag.partitions(set(1, 1)));
        dag.succeedAll(set(1, 1), "b1");
        assertEquals(List.of(0), dag.completed);
        assertEquals(5, dag.counted.size(), "what ran twice counts once");
        String failure = dag.events(StageCompleted.class).get(1).failure();
        assertEquals(
                "",
                DagFixture.contains("output 0 of shuffle 1", "executor a1 on a", "connection refused")
                        .apply(failure));
    }

    @Test
    void answersABurstOfFailuresByOneNewAttempt() {
        dag.submit(job(0, map(1, 2), result(3, 1)));
        dag.succeed(set(0, 0), 0, "a1");
        dag.succeed(set(0, 0), 1, "b1");
        dag.submitted();
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.fetchFailed(set(1, 0), 1, 1, "b1");
        dag.wake();
        assertEquals(List.of(set(0, 1)), dag.submitted());
        assertEquals(List.of(0, 1), dag.partitions(set(0, 1)));
        assertFalse(dag.waits());
        assertEquals(2, dag.events(StageCompleted.class).size(), "the attempt ended once");
    }

    @Test
    void keepsOutputsRegisteredAfterTheFailedReaderStarted() {
        dag.submit(job(0, map(1, 1), result(2, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.wake();
        dag.succeedAll(set(0, 1), "a1"); // the same executor recomputes it
        dag.submitted();
        dag.fetchFailed(set(1, 0), 1, 0, "a1"); // a late task of the old attempt reports the old output
        assertFalse(dag.waits());
        dag.succeedAll(set(1, 1), "b1");
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void keepsRecomputedOutputsAfterALateFailureOfTheSameAttempt() {
        dag.submit(job(0, map(1, 2), map(2, 1), result(2, 1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeedAll(set(1, 0), "a1");
        dag.fetchFailed(set(2, 0), 1, 0, "a1");
        dag.wake();
        assertEquals(List.of(0, 1), dag.partitions(set(0, 1)));
        assertEquals(List.of(0), dag.partitions(set(1, 1)), "the other shuffle's output of that executor is gone too");
        dag.succeed(set(0, 1), 0, "a1");
        dag.fetchFailed(set(2, 0), 1, 0, "a1"); // a late report about the old output, before the retry of the reader
        dag.succeed(set(0, 1), 1, "a1");
        dag.succeed(set(1, 1), 0, "a1");
        assertTrue(dag.sets.containsKey(set(2, 1)), "the reader runs: nothing is missing");
        assertFalse(dag.sets.containsKey(set(0, 2)));
    }

    @Test
    void ignoresAFailureOfAnAttemptThatWasReplaced() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.wake();
        dag.succeedAll(set(0, 1), "b1");
        dag.submitted();
        dag.fetchFailed(set(1, 0), 1, 0, "b1");
        assertFalse(dag.waits());
        assertEquals(List.of(), dag.submitted());
    }

    @Test
    void failsTheJobAfterConsecutiveFailures() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        for (int attempt = 0; attempt < 4; attempt++) {
            dag.succeedAll(set(0, attempt), "a1");
            assertEquals(Map.of(), dag.failed);
            dag.fetchFailed(set(1, attempt), 1, 0, "a1");
            if (attempt < 3) {
                dag.wake();
            }
        }
        assertEquals(ErrorCode.STAGE_FAILED.name(), dag.failed.get(0).code());
        String message = String.valueOf(dag.failed.get(0).getMessage());
        assertEquals(
                "",
                DagFixture.contains(
                                "stage 1",
                                "4 attempts",
                                "output 0 of shuffle 1",
                                "executor a1 on a",
                                "maxConsecutiveAttempts=4")
                        .apply(message));
        assertFalse(dag.waits());
        assertEquals(0, dag.activeJobs());
    }

    @Test
    void doesNotCountFailuresAfterPreemption() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        for (int attempt = 0; attempt < MANY; attempt++) {
            dag.succeedAll(set(0, attempt), "a" + attempt);
            dag.preempt("a" + attempt);
            dag.fetchFailed(set(1, attempt), 1, 0, "a" + attempt);
            dag.wake();
        }
        dag.succeedAll(set(0, MANY), "b1");
        dag.succeedAll(set(1, MANY), "b1");
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void doesNotCountFailuresAfterMigration() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a0");
        for (int attempt = 0; attempt < MANY; attempt++) {
            dag.move(1, 0, "a" + attempt, "a" + (attempt + 1));
            dag.fetchFailed(set(1, attempt), 1, 0, "a" + attempt);
            dag.wake();
        }
        dag.succeedAll(set(1, MANY), "b1");
        assertEquals(List.of(0), dag.completed);
        assertFalse(dag.sets.containsKey(set(0, 1)), "nothing had to be made again");
    }

    @Test
    void doesNotCountFailuresOfAnyReaderDuringDecommissioning() {
        dag.submit(job(0, map(1, 1), map(2, 1, 1), map(3, 1, 1), result(1, 2, 3)));
        for (int attempt = 0; attempt < MANY; attempt++) {
            dag.succeedAll(set(0, attempt), "a" + attempt);
            dag.leave("a" + attempt);
            dag.fetchFailed(set(1, attempt), 1, 0, "a" + attempt);
            dag.fetchFailed(set(2, attempt), 1, 0, "a" + attempt); // the same output, already unregistered
            dag.wake();
        }
        assertEquals(Map.of(), dag.failed);
    }

    @Test
    void countsLaterFailuresAfterAPlannedRemoval() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.preempt("a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.wake();
        dag.succeedAll(set(0, 1), "b1");
        for (int attempt = 1; attempt <= 4; attempt++) {
            assertEquals(Map.of(), dag.failed);
            dag.fetchFailed(set(1, attempt), 1, 0, "a1"); // from an executor that is lost already
            if (attempt < 4) {
                dag.wake();
            }
        }
        assertEquals(ErrorCode.STAGE_FAILED.name(), dag.failed.get(0).code());
    }

    @Test
    void countsFailuresAfterExecutorFailures() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        for (int attempt = 0; attempt < 4; attempt++) {
            assertEquals(Map.of(), dag.failed);
            dag.succeedAll(set(0, attempt), "a" + attempt);
            dag.lose("a" + attempt);
            dag.fetchFailed(set(1, attempt), 1, 0, "a" + attempt);
            if (attempt < 3) {
                dag.wake();
            }
        }
        assertEquals(ErrorCode.STAGE_FAILED.name(), dag.failed.get(0).code());
    }

    @Test
    void failsTheJobAtTheAttemptLimitEvenIfNoFailureCounts() {
        DagFixture strict = new DagFixture(new DagSettings(
                4, 3, false, 3, BASE.slotCheckInterval(), BASE.slotCheckFailuresMax(), BASE.barrierTimeout()));
        strict.submit(job(0, map(1, 1), result(1, 1)));
        for (int attempt = 0; attempt < 3; attempt++) {
            strict.succeedAll(set(0, attempt), "a" + attempt);
            strict.preempt("a" + attempt);
            strict.fetchFailed(set(1, attempt), 1, 0, "a" + attempt);
            strict.wake();
        }
        assertEquals(ErrorCode.STAGE_FAILED.name(), strict.failed.get(0).code());
    }

    @Test
    void countsOnlyConsecutiveFailures() {
        dag.submit(job(0, map(1, 1), map(2, 1, 1), result(1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        for (int round = 0; round < 2; round++) {
            for (int failure = 0; failure < 3; failure++) {
                dag.fetchFailed(lastOf(1), 1, 0, "a1");
                dag.wake();
                dag.succeedAll(lastOf(0), "a1");
            }
            dag.succeedAll(lastOf(1), "b1");
            if (round == 0) {
                dag.fetchFailed(lastOf(2), 2, 0, "b1");
                dag.wake();
            }
        }
        dag.succeedAll(lastOf(2), "b1");
        assertEquals(List.of(0), dag.completed, "six failures, three in a row at most");
        assertEquals(set(1, 7), lastOf(1));
    }

    @Test
    void failsTheJobAtTheAttemptLimit() {
        DagFixture strict = new DagFixture(new DagSettings(
                99, 3, false, 3, BASE.slotCheckInterval(), BASE.slotCheckFailuresMax(), BASE.barrierTimeout()));
        strict.submit(job(0, map(1, 1), result(1, 1)));
        for (int attempt = 0; attempt < 3; attempt++) {
            strict.succeedAll(set(0, attempt), "a1");
            strict.fetchFailed(set(1, attempt), 1, 0, "a1");
            strict.wake();
        }
        String message = String.valueOf(strict.failed.get(0).getMessage());
        assertEquals(
                "",
                DagFixture.contains("attempted 3 times", "hearth.stage.maxAttempts=3")
                        .apply(message));
    }

    @ParameterizedTest
    @EnumSource(OutputLoss.class)
    void unregistersTheOutputsLostWithAnExecutor(OutputLoss what) {
        dag.submit(job(0, map(1, 3), result(1, 1)));
        dag.succeed(set(0, 0), 0, "a1");
        dag.succeed(set(0, 0), 1, "a2");
        dag.succeed(set(0, 0), 2, "b1");
        dag.submitted();
        dag.lose("a1", what);
        if (what == OutputLoss.NONE) {
            assertFalse(dag.waits());
            return;
        }
        dag.wake(); // a running reader needs them
        assertEquals(what == OutputLoss.OF_THE_HOST ? List.of(0, 1) : List.of(0), dag.partitions(set(0, 1)));
    }

    @Test
    void unregistersTheOutputsOfTheHostIfConfigured() {
        DagFixture byHost = new DagFixture(new DagSettings(
                4, 99, true, 3, BASE.slotCheckInterval(), BASE.slotCheckFailuresMax(), BASE.barrierTimeout()));
        byHost.submit(job(0, map(1, 3), result(1, 1)));
        byHost.succeed(set(0, 0), 0, "a1");
        byHost.succeed(set(0, 0), 1, "a2");
        byHost.succeed(set(0, 0), 2, "b1");
        byHost.fetchFailed(set(1, 0), 1, 0, "a1");
        byHost.wake();
        assertEquals(List.of(0, 1), byHost.partitions(set(0, 1)));
    }

    @Test
    void resubmitsLostPartitionsOnceTheAttemptHasFinished() {
        dag.submit(job(0, map(1, 3), result(1, 1)));
        dag.succeed(set(0, 0), 0, "a1");
        dag.lose("a1");
        dag.succeed(set(0, 0), 1, "b1");
        dag.succeed(set(0, 0), 2, "b1");
        assertEquals(List.of(set(0, 0), set(0, 1)), dag.submitted());
        assertEquals(List.of(0), dag.partitions(set(0, 1)));
        dag.succeedAll(set(0, 1), "b1");
        assertEquals(List.of(set(1, 0)), dag.submitted());
        assertEquals(3, dag.counted.size());
    }

    @Test
    void ignoresALateSuccessOfALostExecutor() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.lose("a1");
        dag.succeed(set(0, 0), 0, "a1");
        assertEquals(List.of(set(0, 0), set(0, 1)), dag.submitted());
        assertEquals(0, dag.counted.size(), "an attempt whose output is lost does not count");
    }

    @Test
    void doesNotRecomputeOutputsThatNoStageReads() {
        dag.submit(job(0, map(1, 1), map(2, 1, 1), result(1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeedAll(set(1, 0), "b1");
        dag.lose("a1");
        assertFalse(dag.waits(), "the result reads shuffle 2 alone");
        dag.lose("b1");
        dag.wake();
        dag.submitted();
        assertTrue(dag.sets.containsKey(set(0, 1)), "now shuffle 1 is needed to make shuffle 2 again");
        assertFalse(dag.sets.containsKey(set(1, 1)));
    }

    @Test
    void recomputesLostInputOfAWaitingStage() {
        dag.submit(job(0, map(1, 1), map(2, 1), result(1, 1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.lose("a1");
        dag.wake();
        assertTrue(dag.sets.containsKey(set(0, 1)));
        dag.succeedAll(set(1, 0), "b1");
        assertFalse(dag.sets.containsKey(set(2, 0)), "one of two parents is missing");
        dag.succeedAll(set(0, 1), "b1");
        assertTrue(dag.sets.containsKey(set(2, 0)));
    }

    @Test
    void cancelsARecomputationThatItsReaderNoLongerNeeds() {
        dag.submit(job(0, map(1, 1), map(2, 1, 1), result(1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.lose("a1");
        dag.wake();
        assertTrue(dag.sets.containsKey(set(0, 1)));
        dag.succeedAll(set(1, 0), "b1"); // had fetched it before
        assertEquals(Set.of(set(0, 1)), dag.cancelled.keySet());
        assertTrue(dag.over.contains(set(0, 1)));
        dag.succeedAll(set(2, 0), "b1");
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void continuesARecomputationThatAnotherReaderNeeds() {
        dag.submit(job(0, map(1, 1), map(2, 1, 1), map(3, 1, 1), result(1, 2, 3)));
        dag.succeedAll(set(0, 0), "a1");
        dag.lose("a1");
        dag.wake();
        dag.succeedAll(set(1, 0), "b1");
        dag.succeedAll(set(2, 0), "b1");
        assertEquals(Set.of(set(0, 1)), dag.cancelled.keySet(), "once both have read it");
        assertEquals(
                1,
                dag.events(StageCompleted.class).stream()
                        .filter(event -> event.failure().contains("nothing reads"))
                        .count());
    }

    @Test
    void cancelsNothingThatAnotherReaderNeeds() {
        dag.submit(job(0, map(1, 1), map(2, 1, 1), map(3, 1, 1), result(1, 2, 3)));
        dag.succeedAll(set(0, 0), "a1");
        dag.lose("a1");
        dag.wake();
        dag.succeedAll(set(1, 0), "b1");
        assertEquals(Map.of(), dag.cancelled);
    }

    @Test
    void countsALateSuccessOfAnOlderAttempt() {
        dag.submit(job(0, map(1, 1), map(2, 3, 1), result(1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeed(set(1, 0), 0, "b1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1"); // partition 1; 2 runs on
        dag.wake();
        dag.succeedAll(set(0, 1), "b1");
        assertEquals(List.of(1, 2), dag.partitions(set(1, 1)));
        dag.succeed(set(1, 0), 2, "b1"); // late
        dag.succeed(set(1, 1), 1, "b1");
        assertTrue(dag.sets.containsKey(set(2, 0)), "all outputs are there");
        assertEquals(Set.of(set(1, 0), set(1, 1)), dag.cancelled.keySet(), "what still runs is of no use");
        dag.succeed(set(1, 1), 2, "b1");
        assertEquals(4, dag.counted.size());
    }

    @Test
    void completesAResultByAnOlderAttemptWithoutWaitingForTheRetry() {
        dag.submit(job(0, map(1, 1), result(2, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.succeed(set(1, 0), 0, "b1");
        dag.succeed(set(1, 0), 1, "b1"); // another attempt at the same task fetched in time
        assertEquals(List.of(0), dag.completed);
        assertEquals(0, dag.activeJobs());
        assertFalse(dag.waits(), "nothing is to be made again");
    }

    @Test
    void endsAReplacedAttemptOnceItsLastTaskHasEnded() {
        dag.submit(job(0, map(1, 1), result(2, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        assertFalse(dag.over.contains(set(1, 0)), "a task of it still runs and may publish");
        dag.drained(set(1, 0));
        assertTrue(dag.over.contains(set(1, 0)));
        dag.wake();
        dag.succeedAll(set(0, 1), "b1");
        dag.succeedAll(set(1, 1), "b1");
        assertEquals(dag.sets.keySet(), dag.over);
        assertEquals(
                dag.events(StageSubmitted.class).size(),
                dag.events(StageCompleted.class).size());
    }

    @Test
    void retriesSeveralReadersAndRecomputesTheirShuffleOnce() {
        StagePlan shared = map(1, 1);
        dag.submit(job(0, shared, result(1, 1)));
        dag.submit(job(1, shared, result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.pass(Duration.ofMillis(100));
        dag.fetchFailed(set(2, 0), 1, 0, "a1");
        dag.submitted();
        dag.pass(Duration.ofMillis(100));
        assertEquals(List.of(set(0, 1)), dag.submitted());
        dag.succeedAll(set(0, 1), "b1");
        assertEquals(List.of(set(1, 1), set(2, 1)), dag.submitted());
    }

    private TaskSetId lastOf(int stage) {
        return dag.sets.keySet().stream()
                .filter(set -> set.stage() == stage)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @Test
    void registersAPartitionOnceThoughTwoAttemptsSucceed() {
        dag.submit(job(0, map(1, 1), map(2, 4, 1), result(1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeed(set(1, 0), 0, "b1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1"); // partition 1; 2 and 3 run on
        dag.wake();
        dag.succeedAll(set(0, 1), "b1");
        dag.succeed(set(1, 0), 2, "b1");
        dag.succeed(set(1, 1), 2, "b2"); // the same partition again
        dag.succeed(set(1, 1), 1, "b1");
        assertFalse(dag.sets.containsKey(set(2, 0)), "partition 3 is missing");
        dag.act(scheduler -> assertEquals(
                Optional.of(new MapOutputLocation(new ExecutorId("b1"), "b")),
                scheduler.mapOutputLocations(2).orElseThrow().holder(2)));
        dag.succeed(set(1, 1), 3, "b1");
        assertTrue(dag.sets.containsKey(set(2, 0)));
    }

    @Test
    void refusesAMigrationToALostExecutor() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.lose("b1");
        dag.move(1, 0, "a1", "b1");
        dag.act(scheduler -> assertEquals(
                Optional.of(new MapOutputLocation(new ExecutorId("a1"), "a")),
                scheduler.mapOutputLocations(1).orElseThrow().holder(0)));
        dag.move(1, 0, "c1", "b2"); // it is not on c1
        dag.act(scheduler -> assertEquals(List.of(new MapOutputId(1, 0)), scheduler.outputsOn(new ExecutorId("a1"))));
    }

    @Test
    void keepsOutputsThatOnlyAReplacedAttemptCouldNotFetch() {
        dag.submit(job(0, map(1, 1), map(2, 1), result(2, 1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeedAll(set(1, 0), "c1");
        dag.fetchFailed(set(2, 0), 1, 0, "a1");
        dag.wake();
        dag.succeedAll(set(0, 1), "b1");
        assertTrue(dag.sets.containsKey(set(2, 1)));
        dag.fetchFailed(set(2, 0), 2, 0, "c1"); // late; the newest attempt finds out by itself
        assertFalse(dag.waits());
        assertFalse(dag.sets.containsKey(set(1, 1)));
    }

    @Test
    void unregistersAllOutputsThatAFailureNamesThoughNoExecutorIsKnown() {
        dag.submit(job(0, map(1, 4), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), new FetchFailure(1, 0, List.of(2, 3), Optional.empty(), "", "no location"));
        dag.wake();
        assertEquals(List.of(0, 2, 3), dag.partitions(set(0, 1)));
    }

    @Test
    void retriesTheStagesOfTheOldestJobsFirst() {
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.submit(job(1, map(2, 1), result(1, 2)));
        dag.submit(job(2, map(1, 1), result(1, 1)));
        dag.succeedAll(set(2, 0), "a1");
        dag.succeedAll(set(0, 0), "a1");
        dag.submitted();
        dag.lose("a1");
        dag.wake();
        assertEquals(List.of(set(0, 1), set(2, 1)), dag.submitted(), "the first is shared by jobs 0 and 2");
    }

    @Test
    void ignoresTheFailureOfASetWhoseStageIsRetriedAlready() {
        dag.submit(job(0, map(1, 1), result(2, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        var failure = ErrorCode.RESULTS_TOO_LARGE.failure("results of 2 tasks");
        dag.act(scheduler -> scheduler.setFailed(new SetFailed(set(1, 0), failure), dag.now()));
        assertEquals(Map.of(), dag.failed);
        dag.wake();
        assertTrue(dag.sets.containsKey(set(0, 1)));
    }
}
