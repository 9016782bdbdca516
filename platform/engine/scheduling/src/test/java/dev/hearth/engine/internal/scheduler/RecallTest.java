package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Recalls of queued tasks: when, from where, and how many. */
class RecallTest {
    private static final Duration STALLED = Duration.ofNanos(QueuedTaskRecall.STALLED_NANOS);
    private static final long MICRO = 1_000;
    private static final long SECOND = 1_000_000_000;

    /** An executor with {@code cores} cores runs as many tasks and queues as many more. */
    private static SchedulerFixture queueing(int cores, String... settings) {
        SchedulerFixture scene = new SchedulerFixture(settings).up("busy", "host-a", cores);
        scene.submit(1, 2 * cores);
        assertEquals(2 * cores, scene.settle().size());
        return scene;
    }

    private static List<Long> recalled(SchedulerFixture scene) {
        return scene.all(Kill.class).stream()
                .filter(kill -> kill.kind() == KillKind.RECALL)
                .map(Kill::task)
                .toList();
    }

    @Test
    void waitsUntilTheExecutorHasStalled() {
        SchedulerFixture scene = queueing(2);
        scene.up("idle", "host-b", 2).settle();
        assertEquals(OptionalLong.of(scene.now + QueuedTaskRecall.STALLED_NANOS), scene.scheduler.nextWakeNanos());
        scene.settleAfter(STALLED.minusNanos(1));
        assertEquals(List.of(), recalled(scene));
        scene.settleAfter(Duration.ofNanos(1));
        assertEquals(List.of(3L, 2L), recalled(scene));
    }

    @Test
    void recallsAsManyTasksAsCoresAreFree() {
        SchedulerFixture scene = queueing(4);
        scene.up("idle", "host-b", 2).settleAfter(STALLED);
        assertEquals(List.of(7L, 6L), recalled(scene));
        scene.settleAfter(STALLED);
        assertEquals(2, recalled(scene).size(), "both free cores are spoken for");
    }

    @Test
    void countsTheRecallsOfSeveralExecutorsTogether() {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host-a", 2).up("b", "host-a", 2);
        scene.submit(1, 9);
        assertEquals(7, scene.settle().size(), "three of them are queued");
        assertEquals(2, scene.up("idle", "host-b", 5).settleAfter(STALLED).size(), "pending tasks come first");
        assertEquals(3, recalled(scene).size());
        assertEquals(
                2, scene.all(Kill.class).stream().map(Kill::executor).distinct().count());
    }

    @Test
    void recallsATaskOnce() {
        SchedulerFixture scene = queueing(1);
        scene.up("idle", "host-b", 3).settleAfter(STALLED);
        assertEquals(List.of(1L), recalled(scene));
        scene.settleAfter(STALLED);
        scene.settleAfter(STALLED);
        assertEquals(List.of(1L), recalled(scene));
    }

    @Test
    void recallsTheNextTaskWhenACoreIsFreeAgain() {
        SchedulerFixture scene = queueing(2);
        scene.up("idle", "host-b", 1).settleAfter(STALLED);
        assertEquals(List.of(3L), recalled(scene));
        scene.end(scene.held.get(3L), TaskOutcome.RECALLED);
        Launched again = scene.settle().get(0);
        assertEquals("idle", again.executor());
        scene.settleAfter(STALLED);
        assertEquals(List.of(3L), recalled(scene), "no core is free");
        scene.succeed(again);
        scene.settleAfter(STALLED);
        assertEquals(List.of(3L, 2L), recalled(scene));
    }

    @Test
    void recallsNothingWhileAPendingTaskNeedsTheFreeCores() {
        SchedulerFixture scene = queueing(1);
        scene.up("idle", "host-b", 1);
        scene.submit(2, 1, partition -> List.of("host-a"));
        scene.settle();
        scene.settleAfter(STALLED.multipliedBy(2));
        assertEquals(List.of(), recalled(scene), "the pending task waits for a host, and may take the core");
        assertEquals(2, scene.settleAfter(Duration.ofSeconds(3)).get(0).stage());
    }

    @Test
    void recallsAQueueThatWouldTakeTooLongWithoutWaiting() {
        SchedulerFixture scene = new SchedulerFixture().up("busy", "host-a", 1);
        scene.submit(1, 10);
        scene.succeed(scene.settle().get(0), 10 * MICRO, 0);
        assertEquals(8, scene.settle().size(), "tasks seem short");
        scene.succeed(scene.held.get(1L), SECOND, 0);
        scene.up("idle", "host-b", 3).settle();
        assertEquals(List.of(9L, 8L, 7L), recalled(scene));
    }

    @Test
    void recallsNoTaskThatTheFreeExecutorMayNotRun() {
        SchedulerFixture scene = new SchedulerFixture("excludeOnFailure.enabled", "true").up("idle", "host-b", 1);
        scene.submit(1, 5);
        Launched failed = scene.settle().get(0);
        scene.fail(failed); // so it may not run on the idle executor again
        scene.up("busy", "host-a", 1);
        scene.submit(0, 1, partition -> List.of("host-a"));
        scene.settle();
        while (scene.held.values().stream().anyMatch(task -> task.executor().equals("idle"))) {
            List.copyOf(scene.held.values()).stream()
                    .filter(task -> task.executor().equals("idle"))
                    .forEach(scene::succeed);
            scene.settle();
        }
        assertEquals(
                List.of("busy 0.0", "busy 1." + failed.partition()),
                scene.held.values().stream()
                        .map(task -> task.executor() + " " + task.stage() + "." + task.partition())
                        .toList());
        scene.settleAfter(STALLED);
        assertEquals(List.of(), recalled(scene));
        scene.up("other", "host-c", 1).settle();
        assertEquals(1, recalled(scene).size());
    }

    @Test
    void recallsAllQueuedTasksOfADecommissionedExecutorAndLaunchesNoneThere() {
        SchedulerFixture scene = queueing(3);
        scene.scheduler.decommission(new ExecutorId("busy"));
        scene.settle();
        assertEquals(List.of(5L, 4L, 3L), recalled(scene), "though no core is free elsewhere");
        scene.scheduler.decommission(new ExecutorId("busy"));
        scene.settle();
        assertEquals(3, recalled(scene).size(), "once each");
        recalled(scene).forEach(task -> scene.end(scene.held.get(task), TaskOutcome.RECALLED));
        assertEquals(List.of(), scene.settle());
        scene.up("other", "host-b", 3);
        assertEquals(
                List.of("other 1", "other 1", "other 1"),
                scene.settle().stream()
                        .map(task -> task.executor() + " " + task.attempt())
                        .toList());
    }

    @Test
    void recallsNothingForCoresThatWereLostOrSuspended() {
        SchedulerFixture scene = queueing(1);
        scene.up("lost", "host-b", 2).up("suspended", "host-c", 2).settle();
        scene.lose("lost", LostExecutor.released("given back"));
        scene.scheduler.suspend(new ExecutorId("suspended"));
        scene.settleAfter(STALLED);
        scene.settleAfter(STALLED);
        assertEquals(List.of(), recalled(scene));
    }
}
