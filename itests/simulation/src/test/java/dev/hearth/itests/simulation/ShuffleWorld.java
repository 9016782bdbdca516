package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.driver.DriverContext;
import dev.hearth.local.cluster.LocalClusterManager;
import dev.hearth.rpc.internal.codec.WireCopy;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A driver with a local cluster of executors, all of the production classes in simulated processes, whose program shuffles. Faults
 * happen to executors and to what connects them, chosen by the seed. What is written lies in real files.
 */
final class ShuffleWorld {
    static final int EXECUTORS = 4;

    private static final Duration FAULTY = Duration.ofSeconds(3);
    private static final long FAULT_MILLIS_MAX = 4_000;
    private static final long LONG_FAULT_MILLIS_MAX = 400_000;
    private static final int SLOWNESS_MAX = 20;
    private static final Duration DELAY_MAX = Duration.ofMillis(300);
    private static final Duration DELAY_USUAL = Duration.ofMillis(5);
    private static final MasterUrl MASTER = MasterUrl.parse("local-cluster[" + EXECUTORS + ",1,1024]");

    private final Simulation simulation;
    private final SimulatedProcess driver;
    private final SimulatedProcesses executors;
    private final Map<SimulatedProcesses.Child, ExecutorId> ids = new LinkedHashMap<>();
    private final DriverContext context;
    private final ShufflingProgram program;
    private @Nullable DriverServices services;
    private @Nullable String result; // once the program has ended
    private boolean closed;

    ShuffleWorld(long seed, Path directory) {
        simulation = new Simulation(seed, new WireCopy()::copy);
        driver = simulation.process("driver");
        executors = new SimulatedProcesses(driver, this::run);
        LocalClusterManager manager = new LocalClusterManager(executors, driver.loop("files"), seed);
        context =
                SimulatedDriver.context(driver, "shuffles", settings(seed, directory), MASTER, new Overheard(manager));
        program = new ShufflingProgram(context, simulation);
    }

    private Settings settings(long seed, Path directory) {
        return Settings.empty()
                .with(
                        "simulation",
                        Map.of(
                                "hearth.local.dir",
                                directory.toString(),
                                "hearth.localCluster.dir",
                                directory.toString(),
                                "hearth.shuffle.readHostLocalDisk",
                                String.valueOf(simulation.random().nextBoolean()),
                                "hearth.speculation",
                                String.valueOf(simulation.random().nextBoolean()),
                                "hearth.io.encryption.enabled",
                                String.valueOf(seed % 4 == 0),
                                "hearth.task.maxFailures",
                                "30",
                                "hearth.stage.maxConsecutiveAttempts",
                                "50",
                                "hearth.executor.maxNumFailures",
                                "100"));
    }

    Simulation simulation() {
        return simulation;
    }

    /** Runs the program in the midst of so many faults at most. */
    void begin(int faultsMax) {
        context.opening().thenCompose(open -> program.run()).whenComplete((nothing, failure) -> {
            result = failure == null ? "right" : Failures.describe(failure);
            context.closing(ApplicationResult.FINISHED).whenComplete((ended, ignored) -> closed = true);
        });
        int faults = simulation.random().nextInt(faultsMax + 1);
        for (int fault = 0; fault < faults; fault++) {
            simulation.schedule(upTo(FAULTY), this::fault);
        }
    }

    /** What became of the program; empty while it runs. */
    String result() {
        return result == null ? "" : result;
    }

    int right() {
        return program.right();
    }

    /** Whether the application is over and nothing of it is left. */
    boolean isOver() {
        return closed && executors.started().stream().noneMatch(SimulatedProcesses.Child::isAlive);
    }

    private void run(ChildSpec spec, SimulatedProcesses.Child child) {
        ids.put(child, ExecutorOrders.from(spec.orders()).executor());
        SimulatedExecutor.run(spec, child);
    }

    private void fault() {
        List<SimulatedProcesses.Child> alive = executors.started().stream()
                .filter(SimulatedProcesses.Child::isAlive)
                .toList();
        if (alive.isEmpty() || result != null) {
            return;
        }
        SimulatedProcesses.Child one = pick(alive);
        List<SimulatedProcess> others = new ArrayList<>(
                alive.stream().map(SimulatedProcesses.Child::process).toList());
        others.add(driver);
        others.remove(one.process());
        Fault kind = pick(List.of(Fault.values()));
        happen(kind, one, pick(others));
    }

    private void happen(Fault kind, SimulatedProcesses.Child child, SimulatedProcess other) {
        SimulatedProcess one = child.process();
        switch (kind) {
            case CRASH -> one.crash();
            case PAUSE -> one.pauseFor(lasting());
            case SLOW -> {
                one.slowBy(2 + simulation.random().nextInt(SLOWNESS_MAX));
                simulation.schedule(lasting(), () -> one.slowBy(1));
            }
            case CUT -> {
                simulation.network().cut(one, other);
                heal(one, other);
            }
            case MUTE -> {
                simulation.network().mute(one, other);
                heal(one, other);
            }
            case DEAFEN -> {
                simulation.network().mute(other, one);
                heal(one, other);
            }
            case DELAY -> {
                simulation.network().delayUpTo(upTo(DELAY_MAX));
                simulation.schedule(lasting(), () -> simulation.network().delayUpTo(DELAY_USUAL));
            }
            case LEAVE -> leave(child);
            case DRIVER_PAUSE -> driver.pauseFor(lasting());
            case DRIVER_SLOW -> {
                driver.slowBy(2 + simulation.random().nextInt(SLOWNESS_MAX));
                simulation.schedule(lasting(), () -> driver.slowBy(1));
            }
        }
    }

    private void leave(SimulatedProcesses.Child child) {
        ExecutorId id = ids.get(child);
        DriverServices known = services;
        if (id != null && known != null) {
            simulation.note(id + " is to leave");
            known.loop().execute(() -> known.listener().leaving(id, "asked to"));
        }
    }

    private void heal(SimulatedProcess one, SimulatedProcess other) {
        simulation.schedule(lasting(), () -> simulation.network().heal(one, other));
    }

    /** Mostly short, sometimes longer than anybody waits. */
    private Duration lasting() {
        long most = simulation.random().nextInt(4) == 0 ? LONG_FAULT_MILLIS_MAX : FAULT_MILLIS_MAX;
        return Duration.ofMillis(simulation.random().nextLong(most));
    }

    private Duration upTo(Duration most) {
        return Duration.ofNanos(simulation.random().nextLong(most.toNanos() + 1));
    }

    private <T> T pick(List<T> all) {
        return all.get(simulation.random().nextInt(all.size()));
    }

    private enum Fault {
        CRASH,
        PAUSE,
        SLOW,
        CUT,
        MUTE,
        DEAFEN,
        DELAY,
        LEAVE,
        DRIVER_PAUSE,
        DRIVER_SLOW
    }

    /** A manager, and what the driver lends to it. */
    private final class Overheard implements ClusterManager {
        private final ClusterManager manager;

        Overheard(ClusterManager manager) {
            this.manager = manager;
        }

        @Override
        public Set<DeployMode> deployModes() {
            return EnumSet.of(DeployMode.CLIENT);
        }

        @Override
        public void validate(MasterUrl master) {
            manager.validate(master);
        }

        @Override
        public Map<String, String> defaults(MasterUrl master) {
            return manager.defaults(master);
        }

        @Override
        public CompletionStage<SchedulerBackend> open(
                ApplicationSpec application, MasterUrl master, DriverServices driverServices) {
            services = driverServices;
            return manager.open(application, master, driverServices);
        }
    }
}
