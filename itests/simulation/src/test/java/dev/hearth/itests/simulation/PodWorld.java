package dev.hearth.itests.simulation;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.executors.AllocatorSettings;
import dev.hearth.kubernetes.internal.executors.KubernetesBackend;
import dev.hearth.kubernetes.internal.pod.ApplicationPods;
import dev.hearth.kubernetes.internal.pod.PodSettings;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A driver of the production classes whose executors are pods of a simulated API server; its program shuffles. Pods that
 * run are simulated processes with executors of the production classes. The seed chooses the faults. Files are real.
 */
final class PodWorld {
    static final int EXECUTORS = 3;

    private static final long NONE = -1;
    private static final WireRoundTrip WIRE = new WireRoundTrip(); // its codecs serve all seeds
    private static final String RANDOM = "0123456789abcdef0123456789abcdef";
    private static final MasterUrl MASTER = MasterUrl.parse("k8s://https://192.0.2.7:6443");
    private static final Duration KUBELET_PERIOD = Duration.ofMillis(20);
    /** Time after which the cluster marks the pods of a silent node, as by default. */
    private static final Duration NODE_GRACE = Duration.ofSeconds(40);

    private static final Duration FAULTY = Duration.ofSeconds(20);

    private final Simulation simulation;
    private final SimulatedApiServer server;
    private final SimulatedProcess driver;
    private final SimulatedProcesses executors;
    private final Map<String, SimulatedProcesses.Child> running = new LinkedHashMap<>(); // by the names of their pods
    private final DriverContext context;
    private final ShufflingProgram program;
    private @Nullable String result; // set once the program has ended
    private long handled = NONE; // newest version of the API server that its kubelets have seen
    private boolean closed;
    private boolean awayAtEnd; // so that no pod could be deleted

    /** World whose driver has {@code further} settings. */
    PodWorld(long seed, Path directory, Map<String, String> further) {
        simulation = new Simulation(seed, WIRE::copy);
        server = new SimulatedApiServer(simulation);
        driver = simulation.process("driver");
        executors = new SimulatedProcesses(
                simulation.process("nodes"),
                (spec, child) -> SimulatedExecutor.run(ExecutorOrders.from(spec.orders()), child, Disk.system()));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("hearth.kubernetes.container.image", "hearth:1");
        settings.put("hearth.executor.instances", String.valueOf(EXECUTORS));
        settings.put("hearth.local.dir", directory.resolve("local").toString());
        settings.put("hearth.stage.maxConsecutiveAttempts", "50");
        settings.put("hearth.executor.maxNumFailures", "100");
        settings.putAll(further);
        context = SimulatedDriver.context(
                driver, "shuffles", Settings.empty().with("simulation", settings), MASTER, new Pods());
        program = new ShufflingProgram(context, simulation, directory.resolve("output of seed " + seed));
    }

    Simulation simulation() {
        return simulation;
    }

    /** Runs the program under {@code faults} faults of these kinds. */
    void begin(int faults, Set<Fault> kinds) {
        kubelets();
        context.opening().thenCompose(open -> program.run()).whenComplete((nothing, failure) -> {
            result = failure == null ? "right" : Failures.describe(failure);
            awayAtEnd = server.away;
            context.closing(ApplicationResult.FINISHED).whenComplete((ended, ignored) -> {
                awayAtEnd |= server.away;
                closed = true;
            });
        });
        for (int fault = 0; fault < faults; fault++) {
            simulation.schedule(
                    Duration.ofNanos(simulation.random().nextLong(FAULTY.toNanos())), () -> fault(List.copyOf(kinds)));
        }
    }

    /** The outcome of the program; empty while it runs. */
    String result() {
        return result == null ? "" : result;
    }

    /** Names of what is left on the API server. */
    List<String> left() {
        return server.names();
    }

    int right() {
        return program.right();
    }

    /**
     * Whether the application has ended and nothing of it is left: no executor, and no pod and no secret unless the API
     * server was away at the end.
     */
    boolean isOver() {
        return closed
                && (awayAtEnd || server.size() == 0)
                && executors.started().stream().noneMatch(SimulatedProcesses.Child::isAlive);
    }

    /** Starts the processes of pods that run, and ends those of pods that are deleted. */
    private void kubelets() {
        simulation.schedule(KUBELET_PERIOD, this::kubelets);
        if (server.version() == handled) {
            return;
        }
        handled = server.version();
        List<String> pods = server.pods(selector());
        List<String> wanted = server.running(selector());
        for (String pod : wanted) {
            running.computeIfAbsent(pod, this::start);
        }
        running.forEach((pod, child) -> {
            if (child.isAlive() && !pods.contains(pod)) {
                child.crash();
            } else if (child.isAlive() && !wanted.contains(pod)) {
                child.stop();
                handled = NONE; // again, in case its node is suspended
            }
        });
    }

    private SimulatedProcesses.Child start(String pod) {
        ApiObject object = server.object(Resource.POD, pod).orElseThrow();
        Map<String, String> variables = Map.of(
                "SPARK_EXECUTOR_ID",
                object.labels().get("spark-exec-id"),
                "SPARK_EXECUTOR_CORES",
                "1",
                "HEARTH_NODE_NAME",
                "node-of-" + pod,
                "SPARK_EXECUTOR_POD_IP",
                pod);
        ChildSpec spec = new ChildSpec(
                "executor",
                List.of(),
                orders().resolved(name -> Optional.ofNullable(variables.get(name))),
                Path.of("/" + pod));
        SimulatedProcesses.Child child = executors.start(spec);
        child.exit().thenAccept(status -> {
            if (server.exists(Resource.POD, pod)) {
                server.end(pod, status, status == 0 ? "Completed" : "Error");
            }
        });
        return child;
    }

    /** The launch orders in the application's secret. */
    private LaunchOrders orders() {
        try {
            String json =
                    server.object(Resource.SECRET, "pods-orders").orElseThrow().json();
            String text = new ObjectMapper()
                    .readTree(json)
                    .path("data")
                    .path("orders")
                    .asText();
            String decoded = new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
            return LaunchOrders.read(new BufferedReader(new StringReader(decoded)));
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    private void fault(List<Fault> kinds) {
        List<String> pods =
                server.running(selector()).stream().filter(running::containsKey).toList();
        if (result != null || pods.isEmpty()) {
            return;
        }
        String pod = pods.get(simulation.random().nextInt(pods.size()));
        SimulatedProcesses.Child child = Objects.requireNonNull(running.get(pod));
        Fault kind = kinds.get(simulation.random().nextInt(kinds.size()));
        simulation.note(kind + " " + pod);
        switch (kind) {
            case WATCH_TOO_OLD -> {
                server.compact();
                server.breakWatches(new Answer.Refused(RefusalKind.GONE, "too old resource version"));
            }
            case SERVER_AWAY -> {
                server.away = true;
                server.breakWatches(new Answer.Unknown("connection reset"));
                simulation.schedule(Duration.ofSeconds(60), () -> server.away = false);
            }
            case NODE_SILENT -> silence(pod, child);
            case NODE_LOST -> {
                child.vanish(Duration.ofSeconds(simulation.random().nextInt(40)));
                server.change(pod, facts -> facts.because("NodeLost", "the node does not respond"));
            }
            case EVICTED -> {
                server.change(pod, facts -> facts.because("Evicted", "The node was low on resource: memory."));
                child.crash();
            }
            case PREEMPTED -> {
                server.change(pod, facts -> facts.disrupted("PreemptionByScheduler"));
                server.deleteByStranger(pod, 30);
            }
            case REMOVED -> server.vanish(pod);
            case CRASHED -> child.crash();
        }
    }

    /** Suspends the node of a pod for a time; the cluster marks the pod once the node has not reported for long. */
    private void silence(String pod, SimulatedProcesses.Child child) {
        Duration away = NODE_GRACE.plusSeconds(simulation.random().nextInt(90));
        child.process().pauseFor(away);
        simulation.schedule(NODE_GRACE, () -> server.change(pod, facts -> facts.withNodeSilent(true)));
        simulation.schedule(away, () -> server.change(pod, facts -> facts.withNodeSilent(false)));
    }

    private static String selector() {
        return "spark-app-selector=spark-" + RANDOM + ",spark-role=executor";
    }

    /** Faults of the cluster, and of single executors. */
    enum Fault {
        WATCH_TOO_OLD,
        SERVER_AWAY,
        NODE_LOST,
        NODE_SILENT,
        EVICTED,
        PREEMPTED,
        REMOVED,
        CRASHED
    }

    /** Manager that opens the production backend on the simulated API server. */
    private final class Pods implements ClusterManager {
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
            ApplicationPods pods = new ApplicationPods(
                    ApplicationPods.Identity.of("shuffles", Optional.of("pods"), RANDOM, "ada", "1.0"),
                    PodSettings.ofExecutors(application.settings()),
                    services.profile(ProfileId.DEFAULT),
                    services.driverEndpoint(),
                    services.executorSettings().values());
            return new KubernetesBackend(server, services, pods, AllocatorSettings.DEFAULTS)
                    .open(Optional.empty(), false);
        }
    }
}
