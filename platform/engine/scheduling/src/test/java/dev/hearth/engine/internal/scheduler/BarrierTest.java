package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.BarrierBroken;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.FetchFailed;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Barrier sets launch all tasks together, and one unsuccessful task breaks the set. */
class BarrierTest {
    private final SchedulerFixture scene =
            new SchedulerFixture().up("a", "host-a", 2).up("b", "host-b", 1);

    @Test
    void waitsUntilAllTasksHaveACore() {
        scene.submit(0, 1);
        Launched other = scene.settle().get(0);
        scene.submitBarrier(1, 3);
        assertEquals(List.of(), scene.settle());
        scene.succeed(other);
        assertEquals(3, scene.settle().size());
    }

    @Test
    void letsOtherSetsRunWhileItWaits() {
        scene.submitBarrier(1, 4);
        scene.submit(2, 3);
        assertEquals(3, scene.settle().size());
    }

    @ParameterizedTest
    @EnumSource(
            value = TaskOutcome.class,
            names = {"FAILED", "KILLED", "COMMIT_DENIED"})
    void breaksWithAnyUnsuccessfulTask(TaskOutcome outcome) {
        TaskSetId set = scene.submitBarrier(1, 3);
        List<Launched> tasks = scene.settle();
        scene.succeed(tasks.get(0));
        scene.end(tasks.get(1), outcome);
        assertEquals(List.of(), scene.settle());
        assertEquals(1, scene.all(BarrierBroken.class).size());
        assertTrue(scene.all(BarrierBroken.class).get(0).reason().contains(outcome.toString()));
        assertEquals(1, scene.all(Kill.class).size());
        assertEquals(List.of(), scene.drained());
        scene.end(tasks.get(2), TaskOutcome.KILLED);
        scene.settle();
        assertEquals(List.of(set), scene.drained());
        assertEquals(1, scene.all(BarrierBroken.class).size());
    }

    @Test
    void breaksOnceWhenAnExecutorWithSeveralOfItsTasksIsLost() {
        TaskSetId set = scene.submitBarrier(1, 3);
        scene.settle();
        scene.lose("a", LostExecutor.released("given back"));
        scene.settle();
        assertEquals(1, scene.all(BarrierBroken.class).size());
        List.copyOf(scene.held.values()).forEach(task -> scene.end(task, TaskOutcome.KILLED));
        scene.settle();
        assertEquals(List.of(set), scene.drained());
    }

    @Test
    void killsTheOthersAfterAFetchFailure() {
        TaskSetId set = scene.submitBarrier(1, 3);
        List<Launched> tasks = scene.settle();
        FetchFailure fetch = new FetchFailure(0, 0, Optional.empty(), "host-a", "gone");
        scene.end(tasks.get(0), TaskEnd.fetchFailed(0, fetch, TaskFailure.NONE, TaskMetrics.NONE));
        scene.settle();
        assertEquals(1, scene.all(FetchFailed.class).size());
        assertEquals(2, scene.all(Kill.class).size());
        tasks.subList(1, 3).forEach(task -> scene.end(task, TaskOutcome.KILLED));
        scene.settle();
        assertEquals(List.of(set), scene.drained());
        assertEquals(0, scene.all(BarrierBroken.class).size());
    }
}
