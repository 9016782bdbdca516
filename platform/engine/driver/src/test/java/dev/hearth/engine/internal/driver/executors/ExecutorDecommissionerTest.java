package dev.hearth.engine.internal.driver.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.driver.executors.ExecutorDecommissioner.Origin;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", Optional.empty()));
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "again", Optional.empty()));
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
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", Optional.empty()));
        assertEquals(List.of("migrating a", "a stopped: host goes"), happened);
    }

    @Test
    void stopsAnExecutorWhenItsTimeIsOver() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.of(Duration.ofMillis(500)));
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", Optional.empty()));
        assertEquals(List.of("a stopped: host goes; the decommission took longer than 500 ms"), happened);
    }

    @Test
    void forgetsAnExecutorThatIsLostBefore() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.of(Duration.ofMillis(1500)));
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", Optional.empty()));
        run(() -> decommissioning.forget(A));
        busy.clear();
        run(decommissioning::advance);
        simulation.runFor(Duration.ofSeconds(2));
        assertEquals(List.of(), happened);
    }

    @ParameterizedTest
    @CsvSource({"5000, 500, 500", "500, 5000, 500", "'', 500, 500", "500, '', 500"})
    void stopsAfterTheSmallerOfItsTimeAndTheTimeThatTheClusterLeaves(String setting, String within, long millis) {
        ExecutorDecommissioner decommissioning = decommissioning(duration(setting));
        loop.execute(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", duration(within)));
        simulation.runFor(Duration.ofMillis(millis - 1));
        assertEquals(List.of(), happened);
        simulation.runFor(Duration.ofMillis(1));
        assertEquals(List.of("a stopped: host goes; the decommission took longer than " + millis + " ms"), happened);
    }

    private static Optional<Duration> duration(String millis) {
        return millis.isEmpty() ? Optional.empty() : Optional.of(Duration.ofMillis(Long.parseLong(millis)));
    }

    @Test
    void stopsAtTheEarliestEndOfSeveralNotices() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.empty());
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", duration("60000")));
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes soon", duration("3000")));
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", duration("60000")));
        assertEquals(List.of(), happened);
        run(() -> {});
        assertEquals(List.of("a stopped: host goes; the decommission took longer than 3000 ms"), happened);
    }

    @Test
    void keepsAnExecutorWhoseNoticeIsWithdrawnWhileItMigrates() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.of(Duration.ofSeconds(5)));
        busy.clear();
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", duration("9000")));
        run(() -> assertTrue(decommissioning.withdraw(A)));
        run(() -> assertFalse(decommissioning.withdraw(A)));
        run(() -> migrated.complete(null));
        simulation.runFor(Duration.ofMinutes(1));
        assertEquals(List.of("migrating a"), happened);
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes again", Optional.empty()));
        assertEquals(List.of("migrating a", "migrating a", "a stopped: host goes again"), happened);
    }

    @Test
    void stopsAnExecutorThatTheDriverDecommissionsToo() {
        ExecutorDecommissioner decommissioning = decommissioning(Optional.empty());
        run(() -> decommissioning.begin(A, Origin.CLUSTER, "host goes", duration("9000")));
        run(() -> decommissioning.begin(A, Origin.DRIVER, "idle", Optional.empty()));
        run(() -> assertFalse(decommissioning.withdraw(A)));
        simulation.runFor(Duration.ofMinutes(1));
        assertEquals(List.of(), happened, "the time of the withdrawn notice does not count");
        busy.clear();
        run(decommissioning::advance);
        run(() -> migrated.complete(null));
        assertEquals(List.of("migrating a", "a stopped: idle"), happened);
    }
}
