package dev.hearth.engine.internal.dag;

import static dev.hearth.engine.internal.dag.DagFixture.job;
import static dev.hearth.engine.internal.dag.DagFixture.map;
import static dev.hearth.engine.internal.dag.DagFixture.result;
import static dev.hearth.engine.internal.dag.DagFixture.set;
import static dev.hearth.engine.internal.dag.DagFixture.stage;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Barrier stages: all tasks succeed together or run again together, once there are slots for all of them. */
class DagBarrierTest {
    private static final DagSettings BASE = DagFixture.SETTINGS;

    private final DagFixture dag = new DagFixture();

    @Test
    void holdsTheSuccessesOfABarrierStageBackUntilAllTasksHaveOne() {
        barrierSlots(3);
        dag.submit(job(0, stage(StagePlan.RESULT, 2, true)));
        dag.succeed(set(0, 0), 0, "a1");
        assertEquals(Map.of(), dag.results);
        dag.broken(set(0, 0));
        assertEquals(Set.of(set(0, 0)), dag.over);
        dag.succeed(set(0, 0), 1, "a1");
        dag.wake();
        assertEquals(List.of(0, 1), dag.partitions(set(0, 1)), "all of it runs again");
        dag.succeedAll(set(0, 1), "b1");
        assertEquals(2, dag.results.get(0).size());
        assertEquals(2, dag.counted.size());
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void runsABarrierStageWholeWhenOneOfItsOutputsIsLost() {
        barrierSlots(3);
        dag.submit(job(0, stage(1, 3, true), result(1, 1)));
        dag.succeed(set(0, 0), 0, "a1");
        dag.succeed(set(0, 0), 1, "b1");
        dag.succeed(set(0, 0), 2, "b1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        dag.wake();
        assertEquals(List.of(0, 1, 2), dag.partitions(set(0, 1)));
        dag.broken(set(0, 1));
        dag.wake();
        dag.succeedAll(set(0, 2), "b1");
        dag.succeedAll(set(1, 1), "b1");
        assertEquals(List.of(0), dag.completed);
        assertEquals(4, dag.counted.size());
    }

    @Test
    void cancelsABarrierAttemptAfterAFetchFailure() {
        barrierSlots(2);
        dag.submit(job(0, map(1, 1), stage(2, 2, true, 1), result(1, 2)));
        dag.succeedAll(set(0, 0), "a1");
        dag.succeed(set(1, 0), 0, "b1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        assertTrue(dag.cancelled.containsKey(set(1, 0)), "the others would wait for ever");
        dag.broken(set(1, 0));
        dag.wake();
        dag.succeedAll(set(0, 1), "b1");
        assertEquals(List.of(0, 1), dag.partitions(set(1, 1)));
    }

    @Test
    void failsTheJobOfABarrierStageThatBreaksRepeatedly() {
        barrierSlots(2);
        dag.submit(job(0, stage(StagePlan.RESULT, 2, true)));
        for (int attempt = 0; attempt < 4; attempt++) {
            dag.broken(set(0, attempt));
            if (attempt < 3) {
                dag.wake();
            }
        }
        assertEquals(ErrorCode.STAGE_FAILED.name(), dag.failed.get(0).code());
    }

    @Test
    void waitsForTheSlotsOfABarrierStageAndFailsWhenTheyDoNotCome() {
        barrierSlots(1);
        dag.submit(job(0, stage(StagePlan.RESULT, 2, true)));
        dag.submit(job(1, stage(StagePlan.RESULT, 3, true)));
        assertEquals(List.of(), dag.submitted());
        barrierSlots(2);
        assertEquals(List.of(set(0, 0)), dag.submitted(), "as soon as there are enough");
        dag.wake();
        assertEquals(Map.of(), dag.failed);
        dag.wake();
        assertEquals(ErrorCode.TOO_FEW_SLOTS.name(), dag.failed.get(1).code());
        assertEquals(
                "",
                DagFixture.contains("needs 3 slots", "there were only 2", "2 checks, one each 15 s")
                        .apply(String.valueOf(dag.failed.get(1).getMessage())));
        assertFalse(dag.waits());
    }

    @Test
    void checksSlotsOnceAnInterval() {
        barrierSlots(1);
        dag.submit(job(0, stage(StagePlan.RESULT, 2, true)));
        dag.submit(job(1, stage(StagePlan.RESULT, 5, true)));
        dag.act(scheduler -> assertEquals(5, scheduler.slotsWanted(0)));
        Duration interval = BASE.slotCheckInterval();
        dag.pass(interval);
        for (int second = 1; second < interval.toSeconds(); second++) {
            dag.pass(Duration.ofSeconds(1));
            assertEquals(Map.of(), dag.failed, "the second check is not due");
        }
        dag.pass(Duration.ofSeconds(1));
        assertEquals(Set.of(0, 1), dag.failed.keySet());
        dag.act(scheduler -> assertEquals(0, scheduler.slotsWanted(0)));
    }

    @Test
    void keepsTheOutputsThatAJobWaitingForSlotsWillRead() {
        barrierSlots(1);
        dag.submit(job(0, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.submit(job(1, map(1, 1), stage(StagePlan.RESULT, 2, true, 1)));
        dag.succeedAll(set(1, 0), "a1");
        dag.act(scheduler -> scheduler.forgetShuffle(1));
        dag.submitted();
        barrierSlots(2);
        assertEquals(
                List.of(true),
                dag.submitted().stream()
                        .map(set -> dag.sets.get(set).plan().isResult())
                        .toList());
    }

    @Test
    void wakesForTheEarlierOfARetryAndASlotCheck() {
        dag.submit(job(0, stage(StagePlan.RESULT, 2, true)));
        Duration check = BASE.slotCheckInterval();
        dag.pass(check.minus(StageRunner.RETRY_DELAY.multipliedBy(2)));
        dag.submit(job(1, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        Moment before = dag.now();
        dag.wake();
        assertEquals(StageRunner.RETRY_DELAY.toNanos(), dag.now().nanos() - before.nanos());
        dag.succeedAll(set(0, 1), "a1");
        dag.pass(StageRunner.RETRY_DELAY.dividedBy(2));
        dag.fetchFailed(set(1, 1), 1, 0, "a1");
        dag.wake();
        assertEquals(
                2 * StageRunner.RETRY_DELAY.toNanos(), dag.now().nanos() - before.nanos(), "the check comes first");
        assertFalse(dag.sets.containsKey(set(0, 2)));
    }

    private void barrierSlots(int count) {
        dag.act(scheduler -> scheduler.slots(count, dag.now()));
    }
}
