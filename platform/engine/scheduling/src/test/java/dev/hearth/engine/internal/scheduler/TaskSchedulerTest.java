package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Define;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Drained;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Ended;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Forget;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.SetFailed;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Launches, ends, retries, cancellation and losses of ordinary task sets. Without credit, unless a test sets it. */
class TaskSchedulerTest {
    private static final int MANY = 300; // attempts, more than a byte counts

    private final SchedulerFixture scene = new SchedulerFixture("scheduler.executorCredit", "0")
            .up("a", "host-a", 2)
            .up("b", "host-b", 2);

    @Test
    void spreadsTasksOverExecutorsAndFillsWhatBecomesFree() {
        TaskSetId set = scene.submit(1, 6);
        List<Launched> first = scene.settle();
        assertEquals(
                List.of("a 0", "a 2", "b 1", "b 3"),
                first.stream()
                        .map(task -> task.executor() + " " + task.partition())
                        .toList());
        assertEquals(2, scene.scheduler.waitingTasks());
        assertEquals(4, scene.scheduler.runningTasks());
        scene.succeed(first.get(0));
        scene.succeed(first.get(3));
        assertEquals(
                List.of("a 4", "b 5"),
                scene.settle().stream()
                        .map(task -> task.executor() + " " + task.partition())
                        .toList());
        List.copyOf(scene.held.values()).forEach(scene::succeed);
        assertEquals(List.of(), scene.settle());
        assertEquals(6, scene.all(Succeeded.class).size());
        assertEquals(List.of(set), scene.drained());
        assertEquals(0, scene.scheduler.taskSets());
        assertEquals(0, scene.scheduler.runningTasks());
    }

    @Test
    void drainsASetWithoutTasksAtOnce() {
        TaskSetId set = scene.submit(1, 0);
        scene.settle();
        assertEquals(List.of(set), scene.drained());
    }

    @Test
    void refusesTheSameSetAndTheSameExecutorTwice() {
        scene.submit(1, 1);
        assertThrows(IllegalStateException.class, () -> scene.submit(1, 1));
        assertThrows(IllegalStateException.class, () -> scene.up("a", "host-a", 1));
    }

    @Test
    void retriesUntilTheBoundAndThenFailsTheSetWithTheUsersFrames() {
        TaskSetId set = scene.submit(1, 3);
        scene.settle();
        for (int attempt = 0; attempt < 4; attempt++) {
            Launched first = scene.held.values().stream()
                    .filter(task -> task.partition() == 0)
                    .findFirst()
                    .orElseThrow();
            assertEquals(attempt, first.attempt());
            scene.fail(first);
            scene.settle();
        }
        HearthException failure = scene.failureOf(set);
        assertEquals("TASK_FAILED", failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).contains("failed 4 times, last on executor "),
                failure.getMessage());
        assertTrue(String.valueOf(failure.getMessage()).contains("it went wrong"), failure.getMessage());
        assertEquals(2, scene.all(Kill.class).size());
        assertEquals(List.of(), scene.drained());
        List.copyOf(scene.held.values()).forEach(task -> scene.end(task, TaskOutcome.KILLED));
        assertEquals(List.of(), scene.settle());
        assertEquals(List.of(set), scene.drained());
        assertEquals(1, scene.all(SetFailed.class).size());
    }

    @Test
    void triesNothingAgainThatFailsForGood() {
        TaskSetId set = scene.submit(1, 2);
        Launched task = scene.settle().get(0);
        TaskFailure failure = new TaskFailure("", "zip: unequal (expected: as many)", List.of(), true);
        scene.end(task, TaskEnd.ended(task.task(), TaskOutcome.FAILED, failure, TaskMetrics.NONE));
        scene.settle();
        assertTrue(
                String.valueOf(scene.failureOf(set).getMessage())
                        .matches(
                                "task for partition \\d of job \\d+, stage [\\d.]+: failed for good on executor \\S+ \\(\\S+\\):"
                                        + " zip: unequal \\(expected: as many\\)"),
                scene.failureOf(set).getMessage());
    }

    @ParameterizedTest
    @EnumSource(
            value = TaskOutcome.class,
            names = {"KILLED", "COMMIT_DENIED", "RECALLED"})
    void chargesNoFailureFor(TaskOutcome outcome) {
        TaskSetId set = scene.submit(1, 1);
        for (int attempt = 0; attempt < MANY; attempt++) {
            Launched task = scene.settle().get(0);
            assertEquals(attempt, task.attempt());
            scene.end(task, outcome);
        }
        scene.succeed(scene.settle().get(0));
        scene.settle();
        assertEquals(MANY, scene.all(Ended.class).size());
        assertEquals(List.of(set), scene.drained());
    }

    @Test
    void chargesTasksForAnExecutorThatFailedAndForNoOther() {
        TaskSetId set = scene.submit(1, 1);
        for (int lost = 0; lost < 8; lost++) {
            scene.lose(scene.settle().get(0).executor(), LostExecutor.released("given back"));
            scene.up("released-" + lost, "host-c", 1);
        }
        for (int lost = 0; lost < 4; lost++) {
            scene.lose(scene.settle().get(0).executor(), LostExecutor.because("crashed"));
            scene.up("failed-" + lost, "host-c", 1);
        }
        scene.settle();
        assertTrue(String.valueOf(scene.failureOf(set).getMessage()).contains("executor lost: crashed"));
        assertEquals(List.of(set), scene.drained());
    }

    @Test
    void chargesTasksForALackOfMemory() {
        TaskSetId set = scene.submit(1, 1);
        for (int lost = 0; lost < 4; lost++) {
            scene.lose(scene.settle().get(0).executor(), LostExecutor.of(Cause.OUT_OF_MEMORY, "above 2 GiB"));
            scene.up("next-" + lost, "host-c", 1);
        }
        scene.settle();
        assertTrue(String.valueOf(scene.failureOf(set).getMessage()).contains("executor lost: above 2 GiB"));
    }

    @Test
    void namesLossesInTheFailureOfATaskThatWereExplainedLater() {
        TaskSetId set = scene.submit(1, 1);
        scene.scheduler.explainLoss(new ExecutorId("stranger"), "of no concern");
        for (int lost = 0; lost < 4; lost++) {
            String executor = scene.settle().get(0).executor();
            scene.lose(executor, LostExecutor.because("connection lost"));
            if (lost % 2 == 0) {
                scene.scheduler.explainLoss(new ExecutorId(executor), "a first guess");
                scene.scheduler.explainLoss(new ExecutorId(executor), "reason " + lost);
            }
            scene.up("next-" + lost, "host-c", 1);
        }
        scene.settle();
        String failure = String.valueOf(scene.failureOf(set).getMessage());
        assertTrue(
                failure.contains("executor lost: connection lost; earlier losses were explained later: executor "),
                failure);
        assertTrue(failure.contains(": reason 0; executor ") && failure.endsWith(": reason 2"), failure);
    }

    @Test
    void launchesNothingWhileLaunchesAreHeld() {
        scene.scheduler.hold(true);
        TaskSetId cancelled = scene.submit(1, 3);
        scene.submit(2, 3, partition -> List.of("host-a"));
        assertEquals(List.of(), scene.settle());
        assertEquals(OptionalLong.empty(), scene.scheduler.nextWakeNanos(), "no locality wait is due");
        scene.scheduler.cancel(cancelled, false, "no longer needed");
        assertEquals(List.of(), scene.settle());
        assertEquals(List.of(cancelled), scene.drained());
        scene.scheduler.hold(false);
        assertEquals(2, scene.settle().size());
        assertEquals(1, scene.settleAfter(Duration.ofSeconds(10)).size());
    }

    @Test
    void givesTasksAgainToAnExecutorThatStays() {
        ExecutorId a = new ExecutorId("a");
        scene.submit(1, 8);
        List<Launched> first = scene.settle();
        scene.scheduler.decommission(a);
        first.forEach(scene::succeed);
        assertEquals(
                List.of("b", "b"),
                scene.settle().stream().map(Launched::executor).toList());
        assertEquals(1, scene.scheduler.executorActivity(0).size());
        scene.scheduler.recommission(a);
        scene.scheduler.recommission(a);
        assertEquals(
                List.of("a", "a"),
                scene.settle().stream().map(Launched::executor).toList());
        scene.scheduler.suspend(a);
        scene.scheduler.decommission(a);
        scene.scheduler.recommission(a);
        List.copyOf(scene.held.values()).forEach(scene::succeed);
        scene.submit(2, 8);
        assertEquals(
                List.of("b", "b"),
                scene.settle().stream().map(Launched::executor).toList(),
                "the connection of a is lost");
    }

    @Test
    void cancelsWaitingAndRunningTasks() {
        TaskSetId set = scene.submit(1, 10);
        List<Launched> running = scene.settle();
        scene.scheduler.cancel(set, false, "no longer needed");
        assertEquals(List.of(), scene.settle());
        assertEquals(4, scene.all(Kill.class).size());
        assertEquals(KillKind.END, scene.all(Kill.class).get(0).kind());
        running.forEach(scene::succeed); // too late to count
        scene.settle();
        assertEquals(0, scene.all(Succeeded.class).size());
        assertEquals(4, scene.all(Ended.class).size());
        assertEquals(List.of(set), scene.drained());
        scene.scheduler.cancel(set, false, "again");
        scene.settle();
        assertEquals(1, scene.all(Drained.class).size());
    }

    @Test
    void interruptsCancelledTasksIfAsked() {
        scene.scheduler.cancel(scene.submit(1, 1), true, "before it ran");
        TaskSetId set = scene.submit(2, 1);
        scene.settle();
        scene.scheduler.cancel(set, true, "no longer needed");
        scene.settle();
        assertEquals(
                List.of(KillKind.INTERRUPT),
                scene.all(Kill.class).stream().map(Kill::kind).toList());
    }

    @Test
    void killsOneTaskAndRunsItsPartitionAgain() {
        scene.submit(1, 1);
        Launched task = scene.settle().get(0);
        assertTrue(scene.scheduler.killTask(task.task(), true, "asked to"));
        assertFalse(scene.scheduler.killTask(99, true, "asked to"));
        scene.settle();
        assertEquals(
                List.of(new Kill(new ExecutorId(task.executor()), task.task(), KillKind.INTERRUPT, "asked to")),
                scene.all(Kill.class));
        scene.end(task, TaskOutcome.KILLED);
        assertEquals(1, scene.settle().get(0).attempt());
    }

    @Test
    void ignoresReportsAboutUnknownTasks() {
        scene.submit(1, 1);
        Launched task = scene.settle().get(0);
        scene.succeed(new Launched("b", 1, 0, task.task(), 0, 0)); // it runs on a
        scene.succeed(new Launched("a", 1, 0, 77, 0, 0));
        scene.lose("z", LostExecutor.because("never known"));
        scene.settle();
        assertEquals(1, scene.scheduler.runningTasks());
        scene.succeed(task);
        scene.succeed(task);
        scene.settle();
        assertEquals(1, scene.all(Succeeded.class).size());
    }

    @Test
    void launchesNothingOnSuspendedExecutors() {
        scene.scheduler.suspend(new ExecutorId("a"));
        scene.submit(1, 4);
        assertEquals(
                List.of("b", "b"),
                scene.settle().stream().map(Launched::executor).toList());
        assertEquals(2, scene.scheduler.waitingTasks());
    }

    @Test
    void definesAPlanOncePerExecutorAndForgetsItWithItsLastSet() {
        StagePlan plan = SchedulerFixture.plan(2, PreferredLocations.ANYWHERE, false);
        StagePlan equal = SchedulerFixture.plan(2, PreferredLocations.ANYWHERE, false);
        scene.submit(SchedulerFixture.spec(1, 0, 1, plan, ""));
        scene.submit(SchedulerFixture.spec(1, 1, 1, plan, ""));
        scene.settle();
        assertEquals(2, scene.all(Define.class).size());
        for (Launched task : List.copyOf(scene.held.values())) {
            if (task.stageAttempt() == 0) {
                scene.succeed(task);
            }
        }
        scene.settle();
        assertEquals(List.of(), scene.all(Forget.class));
        List.copyOf(scene.held.values()).forEach(scene::succeed);
        scene.submit(SchedulerFixture.spec(2, 0, 1, equal, ""));
        scene.settle();
        assertEquals(2, scene.all(Forget.class).size());
        assertEquals(4, scene.all(Define.class).size());
    }

    @Test
    void failsASetWhoseResultsAreTooLarge() {
        SchedulerFixture small = new SchedulerFixture("driver.maxResultSize", "1m").up("a", "host-a", 4);
        TaskSetId set = small.submit(1, 4);
        List<Launched> tasks = small.settle();
        small.succeed(tasks.get(0), 1, 1 << 19);
        small.succeed(tasks.get(1), 1, 1 << 19);
        small.settle();
        assertEquals(2, small.all(Succeeded.class).size());
        small.succeed(tasks.get(2), 1, 1);
        small.settle();
        assertEquals("RESULTS_TOO_LARGE", small.failureOf(set).code());
        assertEquals(1, small.all(Kill.class).size());
        small.end(tasks.get(3), TaskOutcome.KILLED);
        small.settle();
        assertEquals(List.of(set), small.drained());
    }

    @Test
    void publishesTaskStartsOnlyIfEnabled() {
        scene.submit(1, 1);
        scene.settle();
        assertEquals(1, scene.events(ApplicationEvent.TaskStarted.class).size());
        scene.scheduler.publishTaskStarts(false);
        scene.submit(2, 1);
        scene.settle();
        assertEquals(1, scene.events(ApplicationEvent.TaskStarted.class).size());
    }
}
