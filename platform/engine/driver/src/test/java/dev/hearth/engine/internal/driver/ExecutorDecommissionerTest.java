package dev.hearth.engine.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An executor leaves when it runs nothing, once what it keeps was moved, or when its time is over. */
class ExecutorDecommissionerTest {
    private static final ExecutorId A = new ExecutorId("a");

    private final Simulation simulation = new Simulation(1);
    private final EventLoop loop = simulation.process("driver").loop("driver-loop");
    private final Set<ExecutorId> busy = new LinkedHashSet<>(Set.of(A));
    private final CompletableFuture<Void> moved = new CompletableFuture<>();
    private final List<String> happened = new ArrayList<>();

    private ExecutorDecommissioner departures(Optional<Duration> bound) {
        return new ExecutorDecommissioner(
                loop,
                executor -> {
                    happened.add("emptying " + executor);
                    return moved;
                },
                bound,
                busy::contains,
                (executor, reason) -> happened.add(executor + " gone: " + reason));
    }

    private void run(Runnable step) {
        loop.execute(step);
        simulation.runFor(Duration.ofSeconds(1));
    }

    @Test
    void waitsForTasksThenForBlocks() {
        ExecutorDecommissioner departures = departures(Optional.empty());
        run(() -> departures.begin(A, "host goes"));
        run(() -> departures.begin(A, "again"));
        assertEquals(List.of(), happened);
        busy.clear();
        run(departures::look);
        run(departures::look);
        assertEquals(List.of("emptying a"), happened);
        run(() -> moved.complete(null));
        assertEquals(List.of("emptying a", "a gone: host goes"), happened);
    }

    @Test
    void goesWithWhatCouldNotBeMoved() {
        ExecutorDecommissioner departures = departures(Optional.empty());
        busy.clear();
        moved.completeExceptionally(new IllegalStateException("no room anywhere"));
        run(() -> departures.begin(A, "host goes"));
        assertEquals(List.of("emptying a", "a gone: host goes"), happened);
    }

    @Test
    void takesNoLongerThanItMay() {
        ExecutorDecommissioner departures = departures(Optional.of(Duration.ofMillis(500)));
        run(() -> departures.begin(A, "host goes"));
        assertEquals(List.of("a gone: host goes; it took longer than 500 ms"), happened);
    }

    @Test
    void forgetsOneThatIsGoneBefore() {
        ExecutorDecommissioner departures = departures(Optional.of(Duration.ofMillis(1500)));
        run(() -> departures.begin(A, "host goes"));
        run(() -> departures.forget(A));
        busy.clear();
        run(departures::look);
        simulation.runFor(Duration.ofSeconds(2));
        assertEquals(List.of(), happened);
    }
}
