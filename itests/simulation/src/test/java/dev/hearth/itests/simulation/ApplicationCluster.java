package dev.hearth.itests.simulation;

import dev.hearth.api.Rdd;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingSubmissionServices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Cluster of any kind with room for one driver and two executors, and a submitter, in simulated processes. Drivers and
 * executors are of the production classes. Drivers run a program that sums squares; every message passes through the
 * real codec.
 */
abstract class ApplicationCluster {
    static final int EXECUTORS = 2;
    static final int PARTITIONS = 100;
    static final long EXPECTED =
            IntStream.range(0, PARTITIONS).mapToLong(i -> (long) i * i).sum();

    private static final Path SUBMITTER_DIRECTORY = Path.of("/submitter");

    private final Simulation simulation;
    private final SimulatedProcess submitter;
    private final MasterUrl master;
    private final List<SubmissionStatus> heard = new ArrayList<>();
    private final List<Consumer<SimulatedProcesses.Child>> onStart = new ArrayList<>();
    private boolean lost;
    private @Nullable Throwable refused;
    private int asked;

    ApplicationCluster(long seed, String master) {
        this.simulation = new Simulation(seed, new WireRoundTrip()::copy);
        this.submitter = simulation.process("submitter");
        this.master = MasterUrl.parse(master);
    }

    /** Manager of this kind of clusters, used by {@code process}, whose working directory is {@code directory}. */
    abstract ClusterManager manager(SimulatedProcess process, Path directory);

    /** Process with which all drivers and executors end. */
    abstract SimulatedProcess machine();

    /** States that the submitter may receive last if the machine is killed at any time. */
    abstract Set<SubmissionState> statesWithoutMachine();

    /** Process that has started the drivers. */
    abstract SimulatedProcess controller();

    /** Pattern of the ids of all submissions, and of nothing else. */
    abstract String submissions();

    /** Whether the cluster uses no more than it has. */
    abstract boolean isWithinBounds();

    /** Whether all resources were given back and every child has ended. */
    abstract boolean isQuiet();

    final Simulation simulation() {
        return simulation;
    }

    final SimulatedProcess submitter() {
        return submitter;
    }

    final MasterUrl master() {
        return master;
    }

    /** Calls {@code action} with every child process when it starts. */
    final void whenStarted(Consumer<SimulatedProcesses.Child> action) {
        onStart.add(action);
    }

    /** Submits the program in cluster mode and watches it. */
    final void submit() {
        SubmissionPlan plan = SubmissionPlan.builder("squares", "example.Squares")
                .add(SubmissionResource.Kind.APPLICATION_JAR, "/examples.jar")
                .settings(Settings.empty()
                        .with("test", Map.of("hearth.master", master.text(), "hearth.cluster.awayMax", "60s")))
                .build();
        EventLoop loop = submitter.loop("submitter");
        SubmissionServices services = new TestingSubmissionServices(submitter.env(), loop, plan.settings());
        loop.execute(() -> submit(plan, services, new Watch()).whenComplete((id, failure) -> refused = failure));
    }

    /** Submits a plan as {@link ClusterManager#submit} does, without random ids. */
    CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, SubmissionServices services, SubmissionListener listener) {
        return manager(submitter, SUBMITTER_DIRECTORY).submit(plan, master, services, listener);
    }

    /** Kills all submissions that match a pattern, from a process of its own. */
    final CompletableFuture<List<SubmissionStatus>> kill(String pattern) {
        return ask((manager, services) -> manager.kill(new SubmissionPattern(pattern), master, services));
    }

    /** Asks the cluster from a new process. */
    final <T> CompletableFuture<T> ask(BiFunction<ClusterManager, SubmissionServices, CompletionStage<T>> question) {
        SimulatedProcess asking = simulation.process("asking-" + asked++);
        EventLoop loop = asking.loop("asking");
        SubmissionServices services = new TestingSubmissionServices(asking.env(), loop, Settings.empty());
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> question.apply(manager(asking, SUBMITTER_DIRECTORY), services)
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
    final List<SubmissionStatus> heard() {
        return heard;
    }

    /** The last state that the submitter received; {@code SUBMITTED} before the first. */
    final SubmissionState state() {
        return heard.isEmpty()
                ? SubmissionState.SUBMITTED
                : heard.get(heard.size() - 1).state();
    }

    /** Whether the submitter has received a final state. */
    final boolean isDecided() {
        return refused != null || lost || state().isFinal();
    }

    /** Runs a child process as a driver or an executor, until it ends. */
    final void run(ChildSpec spec, SimulatedProcesses.Child child) {
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
        DriverContext context =
                SimulatedDriver.context(process, "squares", settings, master, manager(process, spec.directory()));
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
