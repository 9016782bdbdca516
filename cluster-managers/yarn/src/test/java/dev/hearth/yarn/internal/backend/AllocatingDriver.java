package dev.hearth.yarn.internal.backend;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingDriver;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Driver of one context on a simulated cluster: it does with executors what the engine does, and checks what its backend
 * reports. Owned by a simulation.
 */
final class AllocatingDriver extends TestingDriver {
    static final ExecutorNeeds NEEDS = new ExecutorNeeds(
            new ContainerCapability(1408, 1, Map.of()), new ContainerSize(1024, 0, 384), 1, ContainerPlace.ANY, false);
    private static final Duration LOSS_WAIT = Duration.ofSeconds(5);
    private static final Duration START_MAX = Duration.ofMinutes(10);
    private static final Duration STOP_AFTER = Duration.ofSeconds(1);

    final YarnBackend backend;
    /** Executors that the engine counts on. */
    final Map<ExecutorId, String> live = new LinkedHashMap<>(); // with their hosts

    final Set<ExecutorId> registered = new LinkedHashSet<>();
    final Set<ExecutorId> reportedLost = new LinkedHashSet<>();
    final Map<ExecutorId, LostExecutor> lost = new LinkedHashMap<>();
    final Map<ExecutorId, Duration> givenUp = new LinkedHashMap<>();
    final Set<ExecutorId> leaving = new LinkedHashSet<>();
    final List<String> hindrances = new ArrayList<>();
    final Map<ExecutorId, ExecutorStart> starts = new LinkedHashMap<>();
    Optional<HearthException> end = Optional.empty();
    boolean closing;
    boolean closed;
    boolean failsLaunches;
    boolean releasesAtOnce;
    int wanted;

    private final Simulation simulation;
    private final EventLoop loop;
    private final SimulatedExecutors executors;
    private int wantedBefore;
    private Duration wantedSince = Duration.ZERO;
    private Set<String> excluded = Set.of();
    private Map<String, Integer> tasksByHost = Map.of();

    AllocatingDriver(
            Simulation simulation,
            EventLoop loop,
            YarnApplication application,
            SimulatedExecutors executors,
            boolean endsApplication) {
        this.simulation = simulation;
        this.loop = loop;
        this.executors = executors;
        this.backend = application.context(
                this, new ContextSetup(this::launch, profile -> NEEDS, ApplicationLinks.NONE, endsApplication));
        executors.add(this);
    }

    private ContainerLaunch launch(GrantedContainer container, ExecutorId executor, ExecutorProfile profile) {
        loop.requireInLoop();
        if (failsLaunches && simulation.random().nextInt(3) == 0) {
            throw new IllegalStateException("no file of the application");
        }
        return new ContainerLaunch(
                container.id(),
                List.of("java"),
                Map.of("EXECUTOR", executor.value()),
                List.of(),
                Map.of(),
                Bytes.EMPTY,
                Map.of());
    }

    void want(int total) {
        loop.execute(() -> {
            wanted(total);
            want();
        });
    }

    void want(int total, Map<String, Integer> byHost, Set<String> excludedHosts) {
        loop.execute(() -> {
            wanted(total);
            tasksByHost = byHost;
            excluded = excludedHosts;
            want();
        });
    }

    /** Largest number that the application may take for the wanted one: calls on other loops take a moment. */
    int wantedAtMost() {
        boolean justNow = simulation.elapsed().equals(wantedSince);
        return justNow ? Math.max(wanted, wantedBefore) : wanted;
    }

    private void wanted(int total) {
        wantedBefore = simulation.elapsed().equals(wantedSince) ? Math.max(wanted, wantedBefore) : wanted;
        wantedSince = simulation.elapsed();
        wanted = total;
    }

    private void want() {
        int tasks = tasksByHost.values().stream().mapToInt(Integer::intValue).sum();
        if (!closed) {
            backend.want(Map.of(ProfileId.DEFAULT, Demand.of(wanted).preferring(tasks, tasksByHost)), excluded);
        }
    }

    /** Releases an executor as the engine does: the cluster knows of it first, the executor 1 s later. */
    void giveUp(ExecutorId executor, String reason) {
        loop.execute(() -> {
            if (live.remove(executor) != null && !closed) {
                givenUp.put(executor, simulation.elapsed());
                backend.release(Set.of(executor), reason);
                want();
                simulation.schedule(STOP_AFTER, () -> executors.stop(executor));
            }
        });
    }

    /** An executor asks to register; false if it is refused. */
    boolean register(ExecutorId executor) {
        if (closed || !live.containsKey(executor)) {
            return false;
        }
        loop.execute(() -> {
            if (live.containsKey(executor) && !closed) {
                registered.add(executor);
                backend.registered(executor);
            }
        });
        return true;
    }

    /** The connection of an executor broke. */
    void disconnected(ExecutorId executor) {
        loop.execute(() -> {
            if (live.containsKey(executor) && !closed) {
                backend.doubted(executor);
                simulation.schedule(LOSS_WAIT, () -> giveUp(executor, "connection lost"));
            }
        });
    }

    void close() {
        loop.execute(() -> {
            closing = true;
            starts.keySet().forEach(executors::stop);
            backend.close(ApplicationResult.FINISHED).whenComplete((nothing, failure) -> closed = true);
        });
    }

    @Override
    public void started(ExecutorId executor, String host, int cores) {
        throw new AssertionError("executor " + executor + ": reported without details (expected: its start)");
    }

    @Override
    public void started(ExecutorStart start) {
        loop.requireInLoop();
        if (starts.put(start.executor(), start) != null) {
            throw new AssertionError("executor " + start.executor() + ": started twice (expected: a new id)");
        }
        long held = starts.keySet().stream()
                .filter(one -> !reportedLost.contains(one) && !givenUp.containsKey(one))
                .count();
        if (held > wantedAtMost()) {
            throw new AssertionError(held + " executors (expected: at most " + wantedAtMost() + ", as wanted)");
        }
        live.put(start.executor(), start.host());
        if (releasesAtOnce) {
            releasesAtOnce = false;
            backend.release(Set.of(start.executor()), "not needed");
        }
        simulation.schedule(START_MAX, () -> {
            if (!registered.contains(start.executor())) {
                giveUp(start.executor(), "not registered in time");
            }
        });
    }

    @Override
    public void leaving(ExecutorId executor, String reason) {
        leaving(executor, reason, Duration.ofMinutes(1));
    }

    @Override
    public void leaving(ExecutorId executor, String reason, Duration within) {
        loop.requireInLoop();
        if (!starts.containsKey(executor) || reportedLost.contains(executor)) {
            throw new AssertionError("executor " + executor + ": leaves (expected: one that runs)");
        }
        leaving.add(executor);
        Duration drained = Duration.ofMillis(simulation.random().nextInt(20_000));
        simulation.schedule(drained, () -> {
            if (leaving.contains(executor)) {
                giveUp(executor, "decommissioned");
            }
        });
    }

    @Override
    public void staying(ExecutorId executor) {
        loop.requireInLoop();
        if (!leaving.remove(executor)) {
            throw new AssertionError("executor " + executor + ": stays (expected: one that was to leave)");
        }
    }

    @Override
    public void lost(ExecutorId executor, LostExecutor why) {
        loop.requireInLoop();
        if (!starts.containsKey(executor) || !reportedLost.add(executor)) {
            throw new AssertionError("executor " + executor + ": lost without a start, or twice (expected: once)");
        }
        lost.put(executor, why);
        leaving.remove(executor);
        simulation.schedule(STOP_AFTER, () -> executors.stop(executor)); // over its own connection, if it still runs
        if (live.remove(executor) != null) {
            simulation.schedule(Duration.ofMillis(10), this::wantAgain);
        }
    }

    private void wantAgain() {
        loop.execute(this::want);
    }

    @Override
    public void hindered(String reason) {
        hindrances.add(reason);
    }

    @Override
    public void clusterLost(HearthException why) {
        end = Optional.of(why);
    }

    @Override
    public EventLoop loop() {
        return loop;
    }
}
