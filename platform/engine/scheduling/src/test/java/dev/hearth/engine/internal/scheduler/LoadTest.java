package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The load and the activity of executors that dynamic allocation reads. */
class LoadTest {
    @Test
    void countsHeldQueuedAndPendingTasks() {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host-a", 2);
        assertEquals(SchedulerLoad.NONE, scene.scheduler.load(0, 0));
        scene.submit(1, 10);
        assertEquals(new SchedulerLoad(0, 0, 10, 0, 0), scene.scheduler.load(0, 0));
        assertEquals(4, scene.settle().size());
        assertEquals(new SchedulerLoad(4, 2, 6, 0, 0), scene.scheduler.load(0, 0), "two run and two are queued");
    }

    @Test
    void countsSpeculativeCopiesThatWaitForACore() {
        SchedulerFixture scene = new SchedulerFixture(
                        "speculation", "true", "speculation.quantile", "0.75", "scheduler.executorCredit", "0")
                .up("a", "host-a", 4);
        scene.submit(1, 4);
        List<Launched> tasks = scene.settle();
        scene.now += Duration.ofSeconds(1).toNanos();
        tasks.subList(1, 4).forEach(scene::succeed);
        scene.settle();
        scene.settleAfter(Duration.ofSeconds(5));
        assertEquals(new SchedulerLoad(1, 0, 0, 1, 0), scene.scheduler.load(0, 0), "no other host is there");
        scene.up("b", "host-b", 1).settle();
        assertEquals(new SchedulerLoad(2, 0, 0, 0, 0), scene.scheduler.load(0, 0));
    }

    @Test
    void knowsTheWidestBarrierStage() {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host-a", 2);
        scene.submitBarrier(1, 3);
        scene.submitBarrier(2, 5);
        assertEquals(new SchedulerLoad(0, 0, 8, 0, 5), scene.scheduler.load(0, 0));
        assertEquals(9, scene.scheduler.load(0, 9).gang(), "a job that waits for slots needs more");
        assertEquals(5, scene.scheduler.load(0, 4).gang());
    }

    @Test
    void seesTheActivityOfExecutorsThatGetTasks() {
        SchedulerFixture scene = new SchedulerFixture("scheduler.executorCredit", "0")
                .up("a", "host-a", 1)
                .up("b", "host-b", 2);
        long registered = scene.now;
        scene.submit(1, 1);
        scene.now += 5;
        Launched task = scene.settle().get(0);
        assertEquals(
                List.of(
                        new ExecutorActivity(new ExecutorId("a"), 1, true, scene.now),
                        new ExecutorActivity(new ExecutorId("b"), 2, false, registered)),
                scene.scheduler.executorActivity(0));
        assertTrue(scene.scheduler.isBusy(new ExecutorId("a")));
        scene.now += 5;
        scene.succeed(task);
        assertFalse(scene.scheduler.isBusy(new ExecutorId("a")));
        scene.scheduler.suspend(new ExecutorId("b"));
        assertEquals(
                List.of(new ExecutorActivity(new ExecutorId("a"), 1, false, scene.now)),
                scene.scheduler.executorActivity(0));
    }
}
