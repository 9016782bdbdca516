package dev.hearth.itests.simulation;

import dev.hearth.api.Rdd;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.standalone.internal.client.StandaloneSubmitter;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingSubmissionServices;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A master, a worker with two cores, and a submitter, each of the production classes in a simulated process. Drivers
 * run a program that sums squares; every message passes through the real codec.
 */
final class SimulatedCluster {
    static final int CORES = 2;
    static final int PARTITIONS = 100;
    static final long EXPECTED =
            IntStream.range(0, PARTITIONS).mapToLong(i -> (long) i * i).sum();

    private static final int MEMORY_MEBIBYTES = 4_096;
    private static final MasterUrl MASTER = MasterUrl.parse("hearth://127.0.0.1:7077");

    private final Simulation simulation;
    private final SimulatedProcess master;
    private final SimulatedProcess worker;
    private final MasterShell masterShell;
    private final WorkerShell workerShell;
    private final SimulatedProcesses children;
    private final List<SubmissionStatus> heard = new ArrayList<>();
    private final List<Consumer<SimulatedProcesses.Child>> onStart = new ArrayList<>();
    private boolean lost;
    private @Nullable Throwable refused;
    private int asked;

    SimulatedCluster(long seed) {
        simulation = new Simulation(seed, new WireRoundTrip()::copy);
        master = simulation.process("master");
        worker = simulation.process("worker");
        masterShell = new MasterShell(MasterSettings.DEFAULTS, master.loop("master"), master.env("127.0.0.1", 7077));
        children = new SimulatedProcesses(worker, this::run);
        RpcAddress address = new RpcAddress("127.0.0.1", 7078);
        WorkerSpec spec = new WorkerSpec(
                "worker-1",
                address,
                CORES,
                MEMORY_MEBIBYTES,
                Path.of("work"),
                OutputFiles.DEFAULTS,
                CleanupSettings.DEFAULTS,
                List.of(RpcAddress.parse(MASTER.rest()).orElseThrow()),
                WorkerSpec.Children.DEFAULTS);
        workerShell =
                new WorkerShell(spec, worker.loop("worker"), worker.env(address.host(), address.port()), children);
        masterShell.start();
        workerShell.start();
    }

    Simulation simulation() {
        return simulation;
    }

    SimulatedProcess master() {
        return master;
    }

    SimulatedProcess worker() {
        return worker;
    }

    /** Calls {@code action} with every child process when it starts. */
    void whenStarted(Consumer<SimulatedProcesses.Child> action) {
        onStart.add(action);
    }

    /** Submits the program in cluster mode and watches it. */
    void submit() {
        SimulatedProcess submitter = simulation.process("submitter");
        SubmissionPlan plan = SubmissionPlan.builder("squares", "example.Squares")
                .add(SubmissionResource.Kind.APPLICATION_JAR, "/examples.jar")
                .settings(Settings.empty().with("test", Map.of("hearth.master", MASTER.text())))
                .build();
        SubmissionServices services =
                new TestingSubmissionServices(submitter.env(), submitter.loop("submitter"), plan.settings());
        new StandaloneSubmitter(MASTER, services)
                .submit(plan, "request-1", new Watch())
                .whenComplete((id, failure) -> refused = failure);
    }

    /** Kills all submissions that match a pattern, from a process of its own. */
    CompletableFuture<List<SubmissionStatus>> kill(String pattern) {
        SimulatedProcess asking = simulation.process("asking-" + asked++);
        EventLoop loop = asking.loop("asking");
        SubmissionServices services = new TestingSubmissionServices(asking.env(), loop, Settings.empty());
        CompletableFuture<List<SubmissionStatus>> answer = new CompletableFuture<>();
        loop.execute(() -> new StandaloneManager()
                .kill(new SubmissionPattern(pattern), MASTER, services)
                .whenComplete((found, failure) -> {
                    if (failure == null) {
                        answer.complete(found);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                }));
        return answer;
    }

    /** The states that the submitter has received, in order. */
    List<SubmissionStatus> heard() {
        return heard;
    }

    /** The last state that the submitter received; {@code SUBMITTED} before the first. */
    SubmissionState state() {
        return heard.isEmpty()
                ? SubmissionState.SUBMITTED
                : heard.get(heard.size() - 1).state();
    }

    /** Whether the submitter has received a final state. */
    boolean isDecided() {
        return refused != null || lost || state().isFinal();
    }

    /** Whether all resources were given back and every child has ended. */
    boolean isQuiet() {
        boolean masterQuiet = !master.alive()
                || (masterShell.applications() == 0 && (!worker.alive() || masterShell.coresFree() == CORES));
        return masterQuiet && children.started().stream().noneMatch(SimulatedProcesses.Child::isAlive);
    }

    /** Times before which work directories were to be unchanged, one for each search of the worker. */
    List<Instant> cleanups() {
        return children.cleanups();
    }

    int coresFree() {
        return masterShell.coresFree();
    }

    private void run(ChildSpec spec, SimulatedProcesses.Child child) {
        onStart.forEach(action -> action.accept(child));
        if (!child.isAlive()) {
            return;
        }
        if (spec.role().equals("driver")) {
            runDriver(spec, child);
        } else {
            SimulatedExecutor.run(spec, child);
        }
    }

    private void runDriver(ChildSpec spec, SimulatedProcesses.Child child) {
        SimulatedProcess process = child.process();
        Settings settings = Settings.empty().with("orders", spec.orders());
        DriverContext context = SimulatedDriver.context(process, "squares", settings, MASTER, new StandaloneManager());
        context.opening()
                .thenCompose(open -> {
                    List<Integer> numbers =
                            IntStream.range(0, PARTITIONS).boxed().toList();
                    Rdd<Long> squares =
                            context.<Integer>parallelize(numbers, PARTITIONS).map(number -> (long) number * number);
                    return context.starting(
                            ((PlannedRdd<Long>) squares).actions("reduce").reducing(Long::sum));
                })
                .whenComplete((sum, failure) -> {
                    child.print(failure == null ? "sum is " + sum : "failed: " + Failures.describe(failure));
                    context.closing(failure == null ? ApplicationResult.FINISHED : ApplicationResult.FAILED)
                            .whenComplete((nothing, ignored) -> child.exitWith(failure == null ? 0 : 1));
                });
    }

    private final class Watch implements SubmissionListener {
        @Override
        public void changed(SubmissionStatus status) {
            heard.add(status);
        }

        @Override
        public void lost(String reason) {
            lost = true;
        }
    }
}
