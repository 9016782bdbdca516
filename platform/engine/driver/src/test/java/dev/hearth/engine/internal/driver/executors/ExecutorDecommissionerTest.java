package dev.hearth.engine.internal.driver.executors;

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

/**
 * Tests that a decommissioned executor stops after its tasks and the migration of its data, or when its time is over.
 */
class ExecutorDecommissionerTest {
    private static final ExecutorId A = new ExecutorId("a");

    private final Simulation simulation = new Simulation(1);
    private final EventLoop loop = simulation.process("driver").loop("driver-loop");
    private final Set<ExecutorId> busy = new LinkedHashSet<>(Set.of(A));
    private final CompletableFuture<Void> migrated = new CompletableFuture<>();
    private final List<String> happened = new ArrayList<>();

    private ExecutorDecommissioner decommissioning(Optional<Duration> bound) {
        return new ExecutorDecommissioner(
                loop,
                executor -> {
                    happened.add("migrating " + executor);
                    return migrated;
                },
                bound,
                busy::contains,
                (executor, reason) -> happened.add(executor + " stopped: " + reason));
    }

    private void run(Runnable step) {
        loop.execute(step);
        simulation.runFor(Duration.ofSeconds(1));
    }

    @Test
    void waitsForTasksThenForTheMigration() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.empty());
        run(() -> decommissioning.begin(A, "host goes"));
        run(() -> decommissioning.begin(A, "again"));
        assertEquals(List.of(), happened);
        busy.clear();
        run(decommissioning::advance);
        run(decommissioning::advance);
        assertEquals(List.of("migrating a"), happened);
        run(() -> migrated.complete(null));
        assertEquals(List.of("migrating a", "a stopped: host goes"), happened);
    }

    @Test
    void stopsAnExecutorWhoseDataCannotMigrate() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.empty());
        busy.clear();
        migrated.completeExceptionally(new IllegalStateException("no executor has room"));
        run(() -> decommissioning.begin(A, "host goes"));
        assertEquals(List.of("migrating a", "a stopped: host goes"), happened);
    }

    @Test
    void stopsAnExecutorWhenItsTimeIsOver() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.of(Duration.ofMillis(500)));
        run(() -> decommissioning.begin(A, "host goes"));
        assertEquals(List.of("a stopped: host goes; the decommission took longer than 500 ms"), happened);
    }

    @Test
    void forgetsAnExecutorThatIsLostBefore() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.of(Duration.ofMillis(1500)));
        run(() -> decommissioning.begin(A, "host goes"));
        run(() -> decommissioning.forget(A));
        busy.clear();
        run(decommissioning::advance);
        simulation.runFor(Duration.ofSeconds(2));
        assertEquals(List.of(), happened);
    }
}
