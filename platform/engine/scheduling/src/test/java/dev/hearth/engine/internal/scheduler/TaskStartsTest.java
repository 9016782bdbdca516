package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.TaskStarted;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.scheduler.SchedulerFixture.Launched;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task has started when a core of its executor begins it: one that waits there for a core does not count as running. */
class TaskStartsTest {
    private final SchedulerFixture scene = new SchedulerFixture().up("a", "host-a", 2);

    private List<Long> started() {
        return scene.events(TaskStarted.class).stream()
                .map(event -> event.task().task())
                .toList();
    }

    @Test
    void tellsNoStartOfATaskThatWaitsAtItsExecutor() {
        scene.submit(1, 8);
        List<Launched> launched = scene.settle();
        assertEquals(4, launched.size(), "with one for each core that waits there");
        assertEquals(List.of(0L, 1L), started());
        assertEquals(2, scene.scheduler.pools().get(0).runningTasks());
        scene.now += Duration.ofSeconds(3).toNanos();
        scene.succeed(launched.get(1));
        scene.settle();
        assertEquals(List.of(0L, 1L, 2L), started());
        TaskStarted last = scene.events(TaskStarted.class).get(2);
        assertEquals(scene.now / SchedulerFixture.MILLI, last.atMillis());
        assertEquals(last.atMillis(), last.task().launchedMillis(), "it waited three seconds, and begins now");
        assertEquals(2, scene.scheduler.pools().get(0).runningTasks());
    }

    @Test
    void tellsTheStartOfOneThatEndsWithoutACoreBeforeItsEnd() {
        scene.submit(1, 4);
        List<Launched> launched = scene.settle();
        scene.end(launched.get(3), TaskOutcome.RECALLED);
        scene.settle();
        assertEquals(List.of(0L, 1L, 3L), started());
        List<SchedulerEffect> effects = scene.effects;
        int start = effects.indexOf(effects.stream()
                .filter(effect -> effect instanceof SchedulerEffect.PublishEvent published
                        && published.event() instanceof TaskStarted event
                        && event.task().task() == 3)
                .findFirst()
                .orElseThrow());
        assertTrue(effects.get(start + 1) instanceof SchedulerEffect.Ended ended
                && ended.end().task() == 3);
    }

    @Test
    void countsStartsWhereNothingIsToldSingly() {
        scene.scheduler.publishTaskStarts(false);
        TaskSetId set = scene.submit(1, 8);
        List<Launched> launched = scene.settle();
        assertEquals(List.of(new SchedulerEffect.Started(set, 2)), scene.all(SchedulerEffect.Started.class));
        scene.succeed(launched.get(0));
        scene.succeed(launched.get(1));
        scene.settle();
        assertEquals(
                new SchedulerEffect.Started(set, 2),
                scene.all(SchedulerEffect.Started.class).get(1));
        assertEquals(List.of(), started());
    }

    @Test
    void believesAnExecutorThatSaysATaskHasBegun() {
        scene.submit(1, 4);
        Launched last = scene.settle().get(3);
        scene.scheduler.taskStarted(
                new ExecutorId("a"),
                last.task(),
                scene.now - Duration.ofSeconds(1).toNanos());
        scene.settle();
        assertEquals(List.of(0L, 1L, 3L), started());
        assertEquals(
                scene.now / SchedulerFixture.MILLI - 1_000,
                scene.events(TaskStarted.class).get(2).task().launchedMillis());
    }
}
