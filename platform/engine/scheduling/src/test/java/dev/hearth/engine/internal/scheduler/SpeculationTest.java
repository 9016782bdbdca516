package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.SpeculationSubmitted;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Ended;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Speculative copies: when and where they are launched, and what happens to the loser. */
class SpeculationTest {
    private static SchedulerFixture scene(int cores, String... more) {
        String[] settings = Stream.concat(
                        Stream.of("speculation", "true", "scheduler.executorCredit", "0"), Stream.of(more))
                .toArray(String[]::new);
        return new SchedulerFixture(settings).up("a", "host-a", cores).up("b", "host-b", cores);
    }

    /**
     * Of ten tasks {@code done} succeed after one second. The search for slow ones follows {@code moreMillis} later.
     */
    @ParameterizedTest
    @CsvSource({
        "9, 2001, 1", // over three times the median
        "9, 1900, 0",
        "8, 60000, 0", // the quantile of 0.9 is not reached
    })
    void findsTasksFarOverTheMedian(int done, int moreMillis, int expected) {
        SchedulerFixture scene = scene(5);
        scene.submit(1, 10);
        List<Launched> tasks = scene.settle();
        scene.now += Duration.ofSeconds(1).toNanos();
        tasks.subList(0, done).forEach(scene::succeed);
        scene.settle();
        scene.settleAfter(Duration.ofMillis(moreMillis));
        assertEquals(expected, scene.events(SpeculationSubmitted.class).size());
    }

    @ParameterizedTest
    @CsvSource({
        "speculation.quantile, 0.5, 5, 2001, 5",
        "speculation.quantile, 0.5, 4, 2001, 0",
        "speculation.multiplier, 1.5, 9, 501, 1",
        "speculation.minTaskRuntime, 10s, 9, 8999, 0",
        "speculation.minTaskRuntime, 10s, 9, 9001, 1",
        "speculation, false, 9, 60000, 0",
    })
    void followsItsSettings(String key, String value, int done, int moreMillis, int expected) {
        SchedulerFixture scene = scene(5, key, value);
        scene.submit(1, 10);
        List<Launched> tasks = scene.settle();
        scene.now += Duration.ofSeconds(1).toNanos();
        tasks.subList(0, done).forEach(scene::succeed);
        scene.settle();
        scene.settleAfter(Duration.ofMillis(moreMillis));
        assertEquals(expected, scene.events(SpeculationSubmitted.class).size());
    }

    @Test
    void copiesATaskAgainWhoseCopyWasLost() {
        SchedulerFixture scene = scene(5).up("c", "host-c", 5);
        scene.submit(1, 10);
        List<Launched> tasks = scene.settle();
        scene.now += Duration.ofSeconds(1).toNanos();
        tasks.subList(0, 9).forEach(scene::succeed);
        scene.settle();
        Launched copy = scene.settleAfter(Duration.ofSeconds(3)).get(0);
        assertEquals(tasks.get(9).partition(), copy.partition());
        scene.lose(copy.executor(), LostExecutor.because("gone"));
        scene.settleAfter(Duration.ofSeconds(1));
        List<Launched> again = scene.held.values().stream()
                .filter(task -> task.partition() == copy.partition())
                .toList();
        assertEquals(2, again.size(), again::toString);
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 1", "4, 4, 4", "5, 4, 0"})
    void usesTheThresholdIfAllTasksFitOneExecutor(int tasks, int cores, int expected) {
        SchedulerFixture scene = scene(cores, "speculation.task.duration.threshold", "1m");
        scene.submit(1, tasks);
        scene.settle();
        scene.settleAfter(Duration.ofSeconds(60));
        assertEquals(0, scene.events(SpeculationSubmitted.class).size());
        scene.settleAfter(Duration.ofMillis(100));
        assertEquals(expected, scene.events(SpeculationSubmitted.class).size());
    }

    @Test
    void ignoresASingleTaskWithoutAThreshold() {
        SchedulerFixture scene = scene(1);
        scene.submit(1, 1);
        scene.settle();
        scene.settleAfter(Duration.ofDays(1));
        assertEquals(0, scene.events(SpeculationSubmitted.class).size());
    }

    private static Launched slowOne(SchedulerFixture scene) {
        scene.submit(1, 4);
        List<Launched> tasks = scene.settle();
        scene.now += Duration.ofSeconds(1).toNanos();
        tasks.subList(1, 4).forEach(scene::succeed);
        scene.settle();
        return tasks.get(0);
    }

    @Test
    void runsOneCopyOnAnotherHostAndKillsTheLoser() {
        SchedulerFixture scene = scene(2, "speculation.quantile", "0.75");
        Launched first = slowOne(scene);
        List<Launched> copies = scene.settleAfter(Duration.ofSeconds(3));
        assertEquals(1, copies.size());
        Launched copy = copies.get(0);
        assertEquals(first.partition(), copy.partition());
        assertEquals(1, copy.attempt());
        assertTrue(!copy.executor().equals(first.executor()));
        assertEquals(List.of(), scene.settleAfter(Duration.ofHours(1))); // no second copy
        scene.succeed(copy);
        scene.settle();
        assertEquals(
                List.of(new Kill(
                        new ExecutorId(first.executor()),
                        first.task(),
                        KillKind.INTERRUPT,
                        "another attempt succeeded")),
                scene.all(Kill.class));
        assertEquals(List.of(), scene.drained());
        scene.succeed(first); // it succeeds before the kill arrives, without effect
        scene.settle();
        assertEquals(4, scene.all(Succeeded.class).size());
        assertTrue(scene.all(Succeeded.class).get(3).task().speculative());
        assertEquals(1, scene.all(Ended.class).size());
        assertEquals(1, scene.drained().size());
    }

    @Test
    void neverRunsACopyOnTheSameHost() {
        SchedulerFixture scene = new SchedulerFixture("speculation", "true", "speculation.quantile", "0.75")
                .up("a", "host-a", 2)
                .up("a2", "host-a", 2);
        slowOne(scene);
        assertEquals(List.of(), scene.settleAfter(Duration.ofSeconds(3)));
        assertEquals(1, scene.events(SpeculationSubmitted.class).size());
        scene.up("b", "host-b", 1);
        assertEquals("b", scene.settle().get(0).executor());
    }

    @Test
    void continuesWithTheRemainingAttempt() {
        SchedulerFixture scene = scene(2, "speculation.quantile", "0.75");
        Launched first = slowOne(scene);
        Launched copy = scene.settleAfter(Duration.ofSeconds(3)).get(0);
        scene.fail(first);
        assertEquals(List.of(), scene.settle()); // the copy runs
        assertEquals(0, scene.scheduler.waitingTasks());
        scene.end(copy, TaskOutcome.KILLED);
        Launched third = scene.settle().get(0);
        assertEquals(2, third.attempt());
        scene.succeed(third);
        scene.settle();
        assertEquals(1, scene.drained().size());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1", // reads nothing while others do
        "300, 1", // half the rate
        "600, 0", // keeps up
    })
    void copiesNoEfficientTasks(long recordsRead, int expected) {
        SchedulerFixture scene = scene(2, "speculation.quantile", "0.75", "speculation.efficiency.enabled", "true");
        scene.submit(1, 4);
        List<Launched> tasks = scene.settle();
        scene.now += Duration.ofSeconds(1).toNanos();
        TaskMetrics read = new TaskMetrics(0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 0);
        for (Launched task : tasks.subList(1, 4)) {
            scene.end(task, TaskEnd.succeeded(task.task(), TaskResult.NONE, read, List.of()));
        }
        scene.scheduler.progressed(
                new ExecutorId(tasks.get(0).executor()), tasks.get(0).task(), recordsRead);
        scene.settle();
        scene.settleAfter(Duration.ofMillis(2_100));
        assertEquals(expected, scene.events(SpeculationSubmitted.class).size());
        scene.settleAfter(Duration.ofSeconds(4)); // over twice the threshold for slow tasks: copied in any case
        assertEquals(1, scene.events(SpeculationSubmitted.class).size());
    }

    @Test
    void searchesAgainAfterTheInterval() {
        SchedulerFixture scene = scene(2, "speculation.interval", "250ms");
        scene.submit(1, 4);
        scene.settle();
        assertEquals(OptionalLong.of(scene.now + Duration.ofMillis(250).toNanos()), scene.scheduler.nextWakeNanos());
    }

    @Test
    void comparesWithTheMedianOfDifferentRunTimes() {
        SchedulerFixture scene = scene(5);
        scene.submit(1, 10);
        List<Launched> tasks = scene.settle();
        for (int task = 0; task < 9; task++) { // after 1, 2, ... 9 seconds
            scene.now += Duration.ofSeconds(1).toNanos();
            scene.succeed(tasks.get(task));
        }
        scene.settleAfter(Duration.ofMillis(5_400)); // a little more than 3 x 5 s in all is slow
        assertEquals(0, scene.events(SpeculationSubmitted.class).size());
        scene.settleAfter(Duration.ofMillis(700));
        assertEquals(1, scene.events(SpeculationSubmitted.class).size());
    }

    @Test
    void runsNoCopyWhereTheTaskHasFailed() {
        SchedulerFixture scene = new SchedulerFixture(
                        "speculation", "true",
                        "speculation.quantile", "0.75",
                        "scheduler.executorCredit", "0",
                        "excludeOnFailure.enabled", "true")
                .up("a", "host-a", 4);
        scene.submit(1, 4);
        List<Launched> tasks = scene.settle();
        scene.fail(tasks.get(0));
        scene.up("b", "host-b", 1);
        Launched slow = scene.settle().get(0);
        assertEquals("b 0", slow.executor() + " " + slow.partition());
        scene.now += Duration.ofSeconds(1).toNanos();
        tasks.subList(1, 4).forEach(scene::succeed);
        scene.settle();
        assertEquals(List.of(), scene.settleAfter(Duration.ofSeconds(5)));
        assertEquals(1, scene.events(SpeculationSubmitted.class).size());
        scene.up("c", "host-c", 1);
        assertEquals("c", scene.settle().get(0).executor());
    }

    @Test
    void runsNoCopyOfATaskThatIsBeingKilled() {
        SchedulerFixture scene = new SchedulerFixture(
                        "speculation", "true", "speculation.quantile", "0.75", "scheduler.executorCredit", "0")
                .up("a", "host-a", 4);
        Launched slow = slowOne(scene);
        scene.settleAfter(Duration.ofSeconds(5));
        assertEquals(1, scene.events(SpeculationSubmitted.class).size());
        scene.scheduler.killTask(slow.task(), true, "asked to");
        scene.up("b", "host-b", 1);
        assertEquals(List.of(), scene.settle());
        scene.end(slow, TaskOutcome.KILLED);
        assertEquals(1, scene.settle().size());
    }
}
