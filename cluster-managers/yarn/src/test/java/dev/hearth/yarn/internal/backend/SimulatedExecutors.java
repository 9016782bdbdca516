package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.id.ExecutorId;
import dev.hearth.testkit.Simulation;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.SimulatedYarn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Processes of executors in the containers of a {@link SimulatedYarn}. Owned by a simulation. */
final class SimulatedExecutors implements SimulatedYarn.Processes {
    private static final int REFUSED = 6;

    /** Share of executors that end soon after their start. */
    double earlyEnds;

    private final Simulation simulation;
    private final List<AllocatingDriver> drivers = new ArrayList<>();
    private final Map<String, RunningExecutor> byContainer = new LinkedHashMap<>();
    private final Map<ExecutorId, RunningExecutor> byExecutor = new LinkedHashMap<>();
    private @Nullable SimulatedYarn yarn;

    /** A process that runs. */
    private static final class RunningExecutor {
        final String container;
        final ExecutorId executor;
        boolean connected;

        RunningExecutor(String container, ExecutorId executor) {
            this.container = container;
            this.executor = executor;
        }
    }

    SimulatedExecutors(Simulation simulation) {
        this.simulation = simulation;
    }

    void on(SimulatedYarn cluster) {
        yarn = cluster;
    }

    void add(AllocatingDriver driver) {
        drivers.add(driver);
    }

    /** Containers whose processes run. */
    List<String> running() {
        return List.copyOf(byContainer.keySet());
    }

    @Override
    public void start(GrantedContainer container, ContainerLaunch launch) {
        ExecutorId executor =
                new ExecutorId(Objects.requireNonNull(launch.environment().get("EXECUTOR")));
        RunningExecutor process = new RunningExecutor(container.id(), executor);
        if (byExecutor.put(executor, process) != null || byContainer.put(container.id(), process) != null) {
            throw new AssertionError("executor " + executor + ": has two containers (expected: one)");
        }
        Duration start = Duration.ofMillis(300 + simulation.random().nextInt(2_000));
        boolean endsEarly = simulation.random().nextDouble() < earlyEnds;
        simulation.schedule(start, () -> {
            if (byContainer.containsKey(container.id())) {
                boolean accepted = !endsEarly
                        && owner(executor)
                                .map(driver -> driver.register(executor))
                                .orElse(false);
                process.connected = accepted;
                if (!accepted) {
                    exit(container.id(), endsEarly ? 1 : REFUSED);
                }
            }
        });
    }

    private Optional<AllocatingDriver> owner(ExecutorId executor) {
        return drivers.stream()
                .filter(driver -> driver.starts.containsKey(executor))
                .findFirst();
    }

    /** Ends a process, whose NodeManager reports it within a second. */
    void exit(String container, int status) {
        if (forget(container)) {
            simulation.schedule(
                    Duration.ofMillis(simulation.random().nextInt(1_000)),
                    () -> Objects.requireNonNull(yarn).ended(container, status, "exited with " + status));
        }
    }

    /** The driver stops an executor. */
    void stop(ExecutorId executor) {
        RunningExecutor process = byExecutor.get(executor);
        if (process != null && byContainer.containsKey(process.container)) {
            simulation.schedule(Duration.ofMillis(50), () -> exit(process.container, 0));
        }
    }

    @Override
    public void kill(String container) {
        forget(container);
    }

    private boolean forget(String container) {
        RunningExecutor process = byContainer.remove(container);
        if (process != null && process.connected) {
            simulation.schedule(
                    Duration.ofMillis(10),
                    () -> owner(process.executor).ifPresent(driver -> driver.disconnected(process.executor)));
        }
        return process != null;
    }

    boolean isRunning(ExecutorId executor) {
        RunningExecutor process = byExecutor.get(executor);
        return process != null && byContainer.containsKey(process.container);
    }

    /** Executor of a container; empty if it never started there. */
    Optional<ExecutorId> in(String container) {
        return byExecutor.values().stream()
                .filter(process -> process.container.equals(container))
                .map(process -> process.executor)
                .findFirst();
    }
}
