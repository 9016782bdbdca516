package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks that are queued at executors beyond their cores: how many, of which sets, and how they are recalled. */
class QueueCreditTest {
    private static final long MICRO = 1_000;

    @ParameterizedTest
    @CsvSource({
        "1, 256", // an empty task
        "10, 256",
        "40, 100",
        "400, 10",
        "4000, 1",
        "4001, 0",
        "1000000, 0",
    })
    void queuesAboutFourMillisecondsOfWorkPerCore(long runMicros, int queuedPerCore) {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host", 2);
        scene.submit(1, 100_000);
        assertEquals(2 + 2 * QueueCredit.FIRST_PER_CORE, scene.settle().size());
        List.copyOf(scene.held.values()).forEach(task -> scene.succeed(task, runMicros * MICRO, 0));
        scene.settle();
        assertEquals(2 + 2 * queuedPerCore, scene.held.size());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "50, 50"})
    void respectsTheConfiguredBound(int credit, int queuedPerCore) {
        SchedulerFixture scene =
                new SchedulerFixture("scheduler.executorCredit", String.valueOf(credit)).up("a", "host", 2);
        scene.submit(1, 100_000);
        scene.settle();
        List.copyOf(scene.held.values()).forEach(task -> scene.succeed(task, MICRO, 0));
        scene.settle();
        assertEquals(2 + 2 * queuedPerCore, scene.held.size());
    }

    @Test
    void shrinksAsTasksGetLongAndGrowsAsTheyGetShort() {
        QueueCredit credit = new QueueCredit(256);
        credit.addRunTime(10 * MICRO);
        assertEquals(256, credit.perCore());
        for (int task = 0; task < 100; task++) {
            credit.addRunTime(1_000_000 * MICRO);
        }
        assertEquals(0, credit.perCore());
        for (int task = 0; task < 200; task++) {
            credit.addRunTime(10 * MICRO);
        }
        assertEquals(256, credit.perCore());
    }

    @Test
    void weighsANewRunTimeByOneEighth() {
        QueueCredit credit = new QueueCredit(256);
        credit.addRunTime(1_000 * MICRO);
        assertEquals(4, credit.perCore());
        credit.addRunTime(9_000 * MICRO);
        assertEquals(2, credit.perCore(), "a mean of two milliseconds");
        assertEquals(20_000 * MICRO, credit.nanosOf(20, 2));
    }

    @Test
    void takesRunTimesOfSuccessfulTasksOnly() {
        SchedulerFixture scene = new SchedulerFixture("task.maxFailures", "99").up("a", "host", 2);
        scene.submit(1, 1_000);
        TaskMetrics brief = new TaskMetrics(MICRO, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        for (Launched task : scene.settle()) {
            scene.end(task, TaskEnd.ended(task.task(), TaskOutcome.FAILED, TaskFailure.NONE, brief));
        }
        assertEquals(2 + 2 * QueueCredit.FIRST_PER_CORE, scene.settle().size());
    }

    @Test
    void spreadsTheLastTasksOfASetInsteadOfQueueingThem() {
        SchedulerFixture scene = new SchedulerFixture();
        for (int executor = 0; executor < 10; executor++) {
            scene.up("e" + executor, "host", 1);
        }
        scene.submit(1, 19);
        scene.settle();
        assertEquals(10, scene.held.size());
    }

    @Test
    void queuesNothingWhileAnEarlierSetHasLongTasks() {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host", 2);
        scene.submit(1, 1_000);
        scene.settle();
        List.copyOf(scene.held.values()).forEach(task -> scene.succeed(task, 1_000_000 * MICRO, 0));
        scene.submit(2, 1_000);
        scene.settle();
        assertEquals(2, scene.held.size());
        assertTrue(scene.held.values().stream().allMatch(task -> task.stage() == 1));
    }

    @Test
    void queuesNoTasksOfBarrierSets() {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host", 2);
        scene.submitBarrier(1, 3);
        assertEquals(List.of(), scene.settle());
        scene.submitBarrier(2, 2);
        assertEquals(2, scene.settle().size());
    }

    /** An executor with two cores holds four tasks when a second executor comes. */
    private static SchedulerFixture twoQueued() {
        SchedulerFixture scene = new SchedulerFixture().up("a", "host-a", 2);
        scene.submit(1, 4);
        assertEquals(4, scene.settle().size());
        scene.up("b", "host-b", 2);
        return scene;
    }

    @Test
    void recallsQueuedTasksForIdleCoresOnceTheirExecutorStalls() {
        SchedulerFixture scene = twoQueued();
        scene.settle();
        assertEquals(List.of(), scene.all(Kill.class));
        scene.now = scene.scheduler.nextWakeNanos().orElseThrow();
        scene.settle();
        assertEquals(
                List.of("3 RECALL", "2 RECALL"),
                scene.all(Kill.class).stream()
                        .map(kill -> kill.task() + " " + kill.kind())
                        .toList());
        scene.settleAfter(Duration.ofSeconds(1));
        assertEquals(2, scene.all(Kill.class).size()); // no second recall of the same tasks
        scene.end(scene.held.get(3L), TaskOutcome.RECALLED);
        scene.succeed(scene.held.get(0L));
        scene.succeed(scene.held.get(2L)); // it had begun before the recall arrived
        assertEquals(
                List.of("b 1"),
                scene.settle().stream()
                        .map(task -> task.executor() + " " + task.attempt())
                        .toList());
        List.copyOf(scene.held.values()).forEach(scene::succeed);
        scene.settle();
        assertEquals(1, scene.drained().size());
    }

    @Test
    void recallsNothingFromAnExecutorThatMakesProgress() {
        SchedulerFixture scene = twoQueued();
        scene.now += QueuedTaskRecall.STALLED_NANOS - 1;
        scene.succeed(scene.held.get(0L), MICRO, 0);
        scene.settleAfter(Duration.ofNanos(QueuedTaskRecall.STALLED_NANOS - 1));
        assertEquals(List.of(), scene.all(Kill.class));
    }

    @Test
    void chargesNoTaskThatWasLostBeforeItBegan() {
        SchedulerFixture scene = new SchedulerFixture("task.maxFailures", "1").up("a", "host-a", 1);
        TaskSetId running = scene.submit(1, 1);
        TaskSetId queued = scene.submit(2, 1);
        assertEquals(2, scene.settle().size());
        scene.lose("a", LostExecutor.because("crashed"));
        scene.up("b", "host-b", 1);
        Launched again = scene.settle().get(0);
        assertEquals("TASK_FAILED", scene.failureOf(running).code());
        assertEquals(2, again.stage());
        scene.succeed(again);
        scene.settle();
        assertEquals(List.of(running, queued), scene.drained());
    }

    @Test
    void countsTheTimeOfAQueuedTaskFromWhenItBegins() {
        SchedulerFixture scene =
                new SchedulerFixture("speculation", "true", "speculation.quantile", "0.1").up("a", "host-a", 1);
        scene.submit(1, 2);
        scene.settle();
        scene.now += Duration.ofSeconds(10).toNanos();
        scene.succeed(scene.held.get(0L));
        scene.up("b", "host-b", 1);
        assertEquals(List.of(), scene.settleAfter(Duration.ofSeconds(29)));
        assertEquals(1, scene.settleAfter(Duration.ofSeconds(2)).size());
    }
}
