package dev.hearth.engine.internal.dag;

import static dev.hearth.engine.internal.dag.DagFixture.job;
import static dev.hearth.engine.internal.dag.DagFixture.map;
import static dev.hearth.engine.internal.dag.DagFixture.result;
import static dev.hearth.engine.internal.dag.DagFixture.set;
import static dev.hearth.engine.internal.dag.DagFixture.stage;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.ApplicationEvent.StageCompleted;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cancellation of jobs by id, group, tag and stage. */
class DagCancelTest {
    private static final int[] ALL = {0};

    private final DagFixture dag = new DagFixture();

    static Stream<Arguments> ways() {
        return Stream.of(
                way("job", Set.of(1), (dag, now) -> dag.cancelJob(1, "why", now), "job 1 (job1): cancelled: why"),
                way("unknown job", Set.of(), (dag, now) -> dag.cancelJob(9, "why", now), ""),
                way(
                        "group",
                        Set.of(0, 1),
                        (dag, now) -> dag.cancelGroup("g", "why", false, now),
                        "group 'g' was cancelled: why"),
                way("tag", Set.of(1, 2), (dag, now) -> dag.cancelTag("t", "why", now), "tag 't' was cancelled: why"),
                way("stage", Set.of(0, 1), (dag, now) -> dag.cancelStage(0, "why", now), "stage 0 was cancelled: why"),
                way("unknown stage", Set.of(), (dag, now) -> dag.cancelStage(99, "why", now), ""),
                way(
                        "all",
                        Set.of(0, 1, 2, 3),
                        (dag, now) -> dag.cancelAll(ErrorCode.JOB_CANCELLED.failure("all: why"), now),
                        "all: why"));
    }

    private static Arguments way(
            String name, Set<Integer> ended, ToIntBiFunction<DagScheduler, Moment> how, String message) {
        return Arguments.of(name, ended, how, message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void cancelsTheMatchingJobsOnly(
            String name, Set<Integer> ended, ToIntBiFunction<DagScheduler, Moment> how, String message) {
        StagePlan shared = map(1, 2);
        dag.submit(job(0, ALL, Optional.of("g"), List.of(), false, shared, result(1, 1)));
        dag.submit(job(1, ALL, Optional.of("g"), List.of("t"), false, shared, result(1, 1)));
        dag.submit(job(2, ALL, Optional.of("h"), List.of("s", "t"), false, map(2, 1), result(1, 2)));
        dag.submit(job(3, ALL, Optional.empty(), List.of("u"), false, result(1)));
        assertEquals(ended.size(), dag.cancel(how), name);
        assertEquals(ended, dag.failed.keySet());
        dag.failed.values().forEach(failure -> {
            assertEquals(ErrorCode.JOB_CANCELLED.name(), failure.code());
            assertEquals("", DagFixture.contains(message).apply(String.valueOf(failure.getMessage())));
        });
        assertEquals(
                ended,
                Set.copyOf(
                        dag.events(JobEnded.class).stream().map(JobEnded::job).toList()));
        assertEquals(4 - ended.size(), dag.activeJobs());
    }

    @Test
    void keepsAStageThatAnotherJobNeeds() {
        StagePlan shared = map(1, 2);
        dag.submit(job(0, shared, result(1, 1)));
        dag.submit(job(1, shared, map(2, 1), result(1, 1, 2)));
        dag.cancel((scheduler, now) -> scheduler.cancelJob(0, "enough", now));
        assertEquals(Map.of(), dag.cancelled);
        dag.cancel((scheduler, now) -> scheduler.cancelJob(1, "enough", now));
        assertEquals(2, dag.cancelled.size());
        assertEquals(Set.copyOf(dag.sets.keySet()), dag.over);
        assertEquals(2, dag.events(StageCompleted.class).size());
        dag.events(StageCompleted.class)
                .forEach(event -> assertTrue(event.failure().contains("enough")));
    }

    @Test
    void interruptsTasksWhereTheJobAskedForIt() {
        dag.submit(job(0, ALL, Optional.empty(), List.of(), true, result(1)));
        dag.submit(job(1, ALL, Optional.empty(), List.of(), false, result(1)));
        assertTrue(dag.sets.get(set(0, 0)).interruptOnCancel());
        dag.cancel((scheduler, now) -> scheduler.cancelAll(ErrorCode.CONTEXT_CLOSED.failure("closed"), now));
        assertEquals(Map.of(set(0, 0), true, set(1, 0), false), dag.interrupts);
        assertEquals(ErrorCode.CONTEXT_CLOSED.name(), dag.failed.get(0).code());
    }

    @Test
    void refusesFutureJobsOfACancelledGroupAndForgetsTheOldestGroups() {
        dag.cancel((scheduler, now) -> scheduler.cancelGroup("g0", "why", true, now));
        submitIn(0, "g0");
        assertTrue(dag.failed.containsKey(0));
        assertEquals(0, dag.events(JobStarted.class).size());
        for (int group = 1; group <= 3; group++) { // the fixture remembers three
            String name = "g" + group;
            dag.cancel((scheduler, now) -> scheduler.cancelGroup(name, "why", true, now));
        }
        submitIn(1, "g0");
        submitIn(2, "g1");
        assertFalse(dag.failed.containsKey(1));
        assertTrue(dag.failed.containsKey(2));
        dag.cancel((scheduler, now) -> scheduler.cancelGroup("g9", "why", false, now));
        submitIn(3, "g9");
        assertFalse(dag.failed.containsKey(3), "only present jobs were cancelled");
    }

    @Test
    void cancelsAJobThatWaitsForSlotsOrForARetry() {
        dag.submit(job(0, stage(StagePlan.RESULT, 1, true)));
        dag.submit(job(1, map(1, 1), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.fetchFailed(set(1, 0), 1, 0, "a1");
        assertEquals(2, dag.activeJobs());
        assertEquals(
                2, dag.cancel((scheduler, now) -> scheduler.cancelAll(ErrorCode.CONTEXT_CLOSED.failure("x"), now)));
        assertEquals(Set.of(0, 1), dag.failed.keySet());
        while (dag.waits()) {
            dag.wake();
        }
        assertEquals(2, dag.sets.size());
    }

    private void submitIn(int id, String group) {
        dag.submit(job(id, ALL, Optional.of(group), List.of(), false, result(1)));
    }
}
