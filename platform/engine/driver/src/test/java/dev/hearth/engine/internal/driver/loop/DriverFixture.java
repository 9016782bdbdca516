package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.dataset.ResultCollector;
import dev.hearth.engine.internal.executor.CoreThreads;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.status.monitor.OpenApplications;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingApplicationLoader;
import dev.hearth.testkit.TestingBackend;
import dev.hearth.testkit.TestingClusterManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A driver on virtual time with a recording cluster, whose executors are scripted by the test. */
final class DriverFixture {
    static final ApplicationLinks LINKS = new ApplicationLinks(
            Optional.of("http://cluster/scene-1"), Map.of("stdout", "http://host/out"), Map.of("USER", "someone"));

    final Simulation simulation;
    final SimulatedProcess process;
    final Driver driver;
    /** The releases of executors and the closing of the backend, in order. */
    final List<String> calls = new ArrayList<>();

    /** The executors whose registration was reported to the backend. */
    final List<ExecutorId> registered = new ArrayList<>();
    /** The executors about which the backend was asked. */
    final List<ExecutorId> doubted = new ArrayList<>();
    /** The executors whose decommissioning was reported to the backend. */
    final List<ExecutorId> decommissioned = new ArrayList<>();
    /** The demands that the backend received. */
    final List<Demand> demands = new ArrayList<>();
    /** The demands by profile that the backend received last. */
    Map<ProfileId, Demand> wanted = Map.of();
    /** The source of racks that a bundle offers. */
    Optional<RackResolver> racks = Optional.empty();
    /** The backend's answer to each question how long to wait for its report of a loss. */
    Duration lossReportWait = Duration.ofSeconds(5);

    private final List<DriverServices> services = new ArrayList<>();
    private final List<EndpointUri> endpoints = new ArrayList<>();

    DriverFixture(Map<String, String> settings) {
        this(1, settings);
    }

    DriverFixture(long seed, Map<String, String> settings) {
        simulation = new Simulation(seed);
        process = simulation.process("driver");
        driver = new Driver(new DriverSetup(
                1,
                "scene",
                Settings.empty().with("test", settings),
                MasterUrl.parse("test"),
                new TestingClusterManager(this::opened),
                process.loop("driver"),
                process::env,
                new TestingApplicationLoader(DriverFixture.class),
                CoreThreads::new,
                () -> new ProcessMemory(Runtime.getRuntime().maxMemory()),
                List.of(),
                new OpenApplications(),
                () -> racks,
                LazyStores.local(),
                Optional.of(process.loop("answers"))));
        CompletableFuture<Void> opened = driver.open().toCompletableFuture();
        assertTrue(simulation.runUntil(opened::isDone, Duration.ofMinutes(1)));
        opened.join();
    }

    /** An executor that has neither connected nor registered. */
    ScriptedExecutor executor(String name) {
        return new ScriptedExecutor(simulation.process(name), endpoints.get(0));
    }

    DriverServices services() {
        return services.get(0);
    }

    /** Reports to the driver as its cluster manager. */
    void report(Consumer<ExecutorListener> report) {
        act(() -> report.accept(services().listener()));
    }

    /** Runs an action and its consequences on the driver's loop. */
    void act(Runnable action) {
        driver.loop().execute(action);
        run(Duration.ofSeconds(1));
    }

    void run(Duration time) {
        simulation.runFor(time);
    }

    static StagePlan map(int shuffle, int partitions) {
        return stage(shuffle, partitions, PartitionInputs.NONE);
    }

    static StagePlan result(int partitions, Integer... parents) {
        return stage(StagePlan.RESULT, partitions, PartitionInputs.NONE, parents);
    }

    static StagePlan stage(int shuffle, int partitions, PartitionInputs inputs, Integer... parents) {
        return stage(shuffle, partitions, inputs, CapturedFunction.NONE, parents);
    }

    /** A result stage whose tasks prefer hosts. */
    static StagePlan placed(int partitions, PreferredLocations placement) {
        StagePlan anywhere = result(partitions);
        return new StagePlan(
                StagePlan.RESULT,
                anywhere.pipeline(),
                PartitionInputs.NONE,
                partitions,
                List.of(),
                placement,
                false,
                "placed",
                "",
                List.of());
    }

    /** A stage that sends {@code function} to executors. */
    static StagePlan stage(
            int shuffle, int partitions, PartitionInputs inputs, CapturedFunction function, Integer... parents) {
        Sink sink = function == CapturedFunction.NONE ? new Sink.Count() : new Sink.Foreach(function);
        Pipeline counting = new Pipeline(new Source.Elements(), List.of(), sink, Map.of());
        return new StagePlan(
                shuffle,
                counting,
                inputs,
                partitions,
                List.of(parents),
                PreferredLocations.ANYWHERE,
                false,
                "s" + shuffle,
                "",
                List.of());
    }

    /** Starts a job over all partitions of its last stage. */
    CompletableFuture<Void> begin(StagePlan... stages) {
        int[] all = IntStream.range(0, stages[stages.length - 1].partitions()).toArray();
        JobSpec job = new JobSpec(
                driver.nextJob(),
                new JobPlan(Arrays.asList(stages), all),
                "job",
                "",
                Optional.empty(),
                List.of(),
                "default",
                false,
                Map.of());
        CompletableFuture<Void> done = driver.run(job, ResultCollector.sum().open(all.length));
        run(Duration.ofSeconds(1));
        return done;
    }

    /** The failure of a job. */
    static HearthException failure(CompletableFuture<Void> job) {
        assertTrue(job.isCompletedExceptionally(), "the job has failed");
        try {
            job.join();
            throw new AssertionError("the job did not fail");
        } catch (CompletionException failure) {
            return (HearthException) Failures.unwrap(failure);
        }
    }

    static void assertFailed(String code, CompletableFuture<Void> job) {
        HearthException failure = failure(job);
        assertEquals(code, failure.code(), failure::getMessage);
    }

    private CompletionStage<SchedulerBackend> opened(DriverServices opened) {
        services.add(opened);
        endpoints.add(opened.driverEndpoint());
        return CompletableFuture.completedStage(new TestingBackend("scene-1", calls::add) {
            @Override
            public void registered(ExecutorId executor) {
                registered.add(executor);
            }

            @Override
            public void want(Map<ProfileId, Demand> wanted, Set<String> excludedHosts) {
                demands.addAll(wanted.values());
                DriverFixture.this.wanted = wanted;
            }

            @Override
            public void doubted(ExecutorId executor) {
                doubted.add(executor);
            }

            @Override
            public void decommissioned(ExecutorId executor) {
                decommissioned.add(executor);
            }

            @Override
            public Optional<String> attempt() {
                return Optional.of("2");
            }

            @Override
            public ApplicationLinks links() {
                return LINKS;
            }

            @Override
            public Duration lossReportWait() {
                return lossReportWait;
            }
        });
    }
}
