package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.Simulation;
import dev.hearth.yarn.internal.allocator.AllocatorRules;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import dev.hearth.yarn.internal.backend.ContextSetup;
import dev.hearth.yarn.internal.backend.YarnApplication;
import dev.hearth.yarn.internal.backend.YarnIdentity;
import dev.hearth.yarn.internal.backend.YarnMetrics;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.SimulatedLine;
import dev.hearth.yarn.internal.line.SimulatedYarn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A driver of the production classes whose executors are containers of a simulated ResourceManager; its program shuffles.
 * Processes in containers are executors of the production classes. The seed chooses the faults. Files are real.
 */
final class ContainerWorld {
    static final int EXECUTORS = 3;

    private static final AllocatorRules RULES = new AllocatorRules(
            AllocatorRules.DEFAULTS.pace(),
            new AllocatorRules.Failures(OptionalInt.of(100), Optional.empty()), // more than there are faults
            AllocatorRules.DEFAULTS.exclusion(),
            Duration.ofMinutes(5),
            Duration.ofSeconds(15),
            AllocatorRules.DEFAULTS.byHeadroom(),
            AllocatorRules.DEFAULTS.executorsMax());
    private static final MasterUrl MASTER = MasterUrl.parse("yarn");
    private static final Duration FAULTY = Duration.ofSeconds(20);
    private static final int NODES = 5;

    private final Simulation simulation;
    private final SimulatedYarn yarn;
    private final SimulatedProcesses executors;
    private final Map<String, SimulatedProcesses.Child> running = new LinkedHashMap<>(); // by their containers
    private final DriverContext context;
    private final ShufflingProgram program;
    private @Nullable SimulatedLine line;
    private @Nullable String result; // set once the program has ended
    private boolean closed;

    ContainerWorld(long seed, Path directory) {
        simulation = new Simulation(seed, new WireRoundTrip()::copy);
        executors = new SimulatedProcesses(
                simulation.process("nodes"),
                (spec, child) -> SimulatedExecutor.run(ExecutorOrders.from(spec.orders()), child, Disk.system()));
        yarn = new SimulatedYarn(simulation, NODES, 2, 4 * 1408, new Containers());
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("hearth.executor.instances", String.valueOf(EXECUTORS));
        settings.put("hearth.local.dir", directory.resolve("local").toString());
        settings.put("hearth.task.maxFailures", "30");
        settings.put("hearth.stage.maxConsecutiveAttempts", "50");
        context = SimulatedDriver.context(
                simulation.process("driver"),
                "shuffles",
                Settings.empty().with("simulation", settings),
                MASTER,
                new Manager());
        program = new ShufflingProgram(context, simulation, directory.resolve("output of seed " + seed));
    }

    Simulation simulation() {
        return simulation;
    }

    /** Runs the program under {@code faults} faults. */
    void begin(int faults) {
        context.opening().thenCompose(open -> program.run()).whenComplete((nothing, failure) -> {
            result = failure == null ? "right" : Failures.describe(failure);
            context.closing(ApplicationResult.FINISHED).whenComplete((ended, ignored) -> closed = true);
        });
        for (int fault = 0; fault < faults; fault++) {
            simulation.schedule(Duration.ofNanos(simulation.random().nextLong(FAULTY.toNanos())), this::fault);
        }
    }

    /** The outcome of the program; empty while it runs. */
    String result() {
        return result == null ? "" : result;
    }

    int right() {
        return program.right();
    }

    /** Containers that the ResourceManager still holds. */
    Set<String> left() {
        return yarn.containers();
    }

    /** Whether the application has ended and nothing of it is left. */
    boolean isOver() {
        return closed
                && yarn.containers().isEmpty()
                && executors.started().stream().noneMatch(SimulatedProcesses.Child::isAlive);
    }

    private void fault() {
        List<String> containers = List.copyOf(yarn.running());
        if (result != null || containers.isEmpty() || line == null) {
            return;
        }
        String container = containers.get(simulation.random().nextInt(containers.size()));
        String host = yarn.hosts().get(simulation.random().nextInt(NODES));
        Fault kind = Fault.values()[simulation.random().nextInt(Fault.values().length)];
        simulation.note(kind + " " + container + " " + host);
        Duration soon = Duration.ofMillis(simulation.random().nextInt(15_000));
        switch (kind) {
            case CRASHED -> Objects.requireNonNull(running.get(container)).crash();
            case PREEMPTED -> {
                yarn.announce(container, simulation.random().nextBoolean());
                simulation.schedule(soon, () -> yarn.kill(container, -102, "preempted"));
            }
            case SPARED -> {
                yarn.announce(container, false);
                simulation.schedule(soon, yarn::withdrawNotices);
            }
            case TOO_LARGE -> yarn.kill(container, -104, "1.5 GB of 1.4 GB physical memory used");
            case NODE_LOST -> {
                yarn.loseNode(host, simulation.random().nextBoolean());
                simulation.schedule(soon, () -> yarn.restore(host));
            }
            case DECOMMISSIONED -> {
                yarn.decommission(host, 20);
                simulation.schedule(soon, () -> yarn.restore(host));
            }
            case MANAGER_RESTARTED -> Objects.requireNonNull(line).restartManager(soon);
            case MASTER_LOST -> Objects.requireNonNull(line).replace(soon);
            case GRANTS_LATE -> yarn.lateness = 0.9;
            case STARTS_FAIL -> {
                yarn.failedStarts = 0.5;
                simulation.schedule(soon, () -> yarn.failedStarts = 0);
            }
        }
    }

    private enum Fault {
        CRASHED,
        PREEMPTED,
        SPARED,
        TOO_LARGE,
        NODE_LOST,
        DECOMMISSIONED,
        MANAGER_RESTARTED,
        MASTER_LOST,
        GRANTS_LATE,
        STARTS_FAIL
    }

    /** Runs the processes of containers. */
    private final class Containers implements SimulatedYarn.Processes {
        @Override
        public void start(GrantedContainer container, ContainerLaunch launch) {
            SimulatedProcesses.Child child = executors.start(
                    new ChildSpec("executor", List.of(), launch.environment(), Path.of("/" + container.id())));
            running.put(container.id(), child);
            child.exit().thenAccept(status -> yarn.ended(container.id(), status, "exited with " + status));
        }

        @Override
        public void kill(String container) {
            Objects.requireNonNull(running.get(container)).crash();
        }
    }

    /** Manager that opens the production backend on the simulated ResourceManager. */
    private final class Manager implements ClusterManager {
        @Override
        public Set<DeployMode> deployModes() {
            return EnumSet.of(DeployMode.CLIENT);
        }

        @Override
        public void validate(MasterUrl master) {
            // the master of this world is fixed
        }

        @Override
        public Map<String, String> defaults(MasterUrl master) {
            return Map.of("hearth.executor.cores", "1");
        }

        @Override
        public CompletionStage<SchedulerBackend> open(
                ApplicationSpec application, MasterUrl master, DriverServices services) {
            EndpointUri endpoint =
                    services.driverEndpoint(); // now, so that the engine writes stages for other processes
            line = yarn.line(services.loop());
            YarnApplication opened = new YarnApplication(
                    new YarnIdentity(
                            new ApplicationId("application_1_0001"), "ada", "cluster1", "http://", "shuffles", false),
                    services.loop(),
                    line,
                    RULES,
                    new YarnMetrics());
            ContextSetup setup = new ContextSetup(
                    (container, executor, profile) -> launch(services, endpoint, container, executor, profile),
                    profile -> new ExecutorNeeds(
                            new ContainerCapability(profile.memory().total(), 1, Map.of()),
                            profile.memory(),
                            1,
                            ContainerPlace.ANY,
                            false),
                    ApplicationLinks.NONE,
                    true);
            return opened.open().thenApply(registered -> opened.context(services, setup));
        }

        private ContainerLaunch launch(
                DriverServices services,
                EndpointUri endpoint,
                GrantedContainer container,
                ExecutorId executor,
                ExecutorProfile profile) {
            Map<String, String> orders = new LinkedHashMap<>(
                    ExecutorOrders.settingsToConnect(services.executorSettings().values()));
            orders.putAll(new ExecutorOrders(
                            executor, container.host(), profile.cores().orElse(1), endpoint, "address-of-" + executor)
                    .asMap());
            return new ContainerLaunch(
                    container.id(), List.of("java"), orders, List.of(), Map.of(), Bytes.EMPTY, Map.of());
        }
    }
}
