package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Placed;
import dev.hearth.api.Rdd;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A driver whose tasks prefer hosts, on a standalone cluster of three workers: the executors are placed on these hosts,
 * and racks change no result. Production classes in simulated processes.
 */
class PlacedExecutorsTest {
    private static final MasterUrl MASTER = MasterUrl.parse("hearth://127.0.0.1:7077");
    private static final int PARTITIONS = 30;
    private static final long EXPECTED = LongStream.range(0, PARTITIONS).sum();
    private static final Duration BOUND = Duration.ofMinutes(10);

    static LongStream seeds() {
        return Simulation.seeds(30);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void placesExecutorsWhereTasksPreferToRun(long seed) {
        Run run = new Run(seed, 1, partition -> List.of("host-b"), Optional.empty());
        assertEquals(List.of("host-b"), run.executors());

        Run two = new Run(seed, 2, partition -> List.of(partition < 10 ? "host-a" : "host-c"), Optional.empty());
        assertEquals("host-c", two.executors().get(0), "where most tasks prefer to run");
        assertEquals(
                List.of("host-a", "host-c"), two.executors().stream().sorted().toList());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void hasTheSameResultsWhateverTheRacks(long seed) {
        RackResolver inOneRack = hosts -> hosts.stream().collect(Collectors.toMap(host -> host, host -> "/rack"));
        RackResolver inRacks = hosts -> hosts.stream().collect(Collectors.toMap(host -> host, host -> "/of-" + host));
        RackResolver failing = hosts -> {
            throw new IOException("no network");
        };
        for (RackResolver racks : List.of(inOneRack, inRacks, failing)) {
            new Run(seed, 3, partition -> List.of("host-a", "host-far"), Optional.of(racks));
        }
    }

    /** Hosts that a partition prefers. */
    @FunctionalInterface
    private interface Preference {
        List<String> hosts(int partition);
    }

    /** One run of a program that sums the numbers of its partitions. */
    private static final class Run {
        private final Simulation simulation;
        private final List<String> executors = new ArrayList<>();

        Run(long seed, int executorsMax, Preference preference, Optional<RackResolver> racks) {
            simulation = new Simulation(seed, new WireRoundTrip()::copy);
            SimulatedProcess master = simulation.process("master");
            new MasterShell(MasterSettings.DEFAULTS, master.loop("master"), master.env("127.0.0.1", 7077)).start();
            for (String host : List.of("host-a", "host-b", "host-c")) {
                startWorker(host);
            }
            simulation.runFor(Duration.ofSeconds(10));
            Settings settings = Settings.empty()
                    .with(
                            "test",
                            Map.of(
                                    "hearth.dynamicAllocation.enabled", "true",
                                    "hearth.dynamicAllocation.shuffleTracking.enabled", "true",
                                    "hearth.dynamicAllocation.maxExecutors", String.valueOf(executorsMax),
                                    "hearth.executor.cores", "1"));
            SimulatedProcess process = simulation.process("driver");
            DriverContext context =
                    SimulatedDriver.context(process, "near", settings, MASTER, new StandaloneManager(), racks);
            CompletableFuture<Long> sum = context.opening()
                    .thenCompose(open -> {
                        List<Placed<Integer>> placed = IntStream.range(0, PARTITIONS)
                                .mapToObj(number -> new Placed<>(number, preference.hosts(number)))
                                .toList();
                        Rdd<Long> numbers = context.parallelizeAt(placed).map(number -> (long) number);
                        return context.starting(
                                ((PlannedRdd<Long>) numbers).actions("reduce").reducing(Long::sum));
                    })
                    .toCompletableFuture();
            assertTrue(simulation.runUntil(sum::isDone, BOUND), () -> "seed " + seed + ": no result");
            assertEquals(EXPECTED, sum.join(), () -> "seed " + seed);
            CompletableFuture<?> closed =
                    context.closing(ApplicationResult.FINISHED).toCompletableFuture();
            assertTrue(simulation.runUntil(closed::isDone, BOUND), () -> "seed " + seed + ": not closed");
        }

        /** Hosts of the executors, in the order of their starts. */
        List<String> executors() {
            return executors;
        }

        private void startWorker(String host) {
            SimulatedProcess worker = simulation.process("worker-" + host);
            WorkerSpec spec = new WorkerSpec(
                    "worker-" + host,
                    new RpcAddress(host, 7078),
                    4,
                    8_192,
                    Path.of("work"),
                    OutputFiles.DEFAULTS,
                    CleanupSettings.DEFAULTS,
                    List.of(RpcAddress.parse(MASTER.rest()).orElseThrow()),
                    WorkerSpec.Children.DEFAULTS);
            SimulatedProcesses children = new SimulatedProcesses(worker, (child, process) -> run(host, child, process));
            new WorkerShell(spec, worker.loop("worker"), worker.env(host, 7078), children).start();
        }

        private void run(String host, ChildSpec spec, SimulatedProcesses.Child child) {
            executors.add(host);
            SimulatedExecutor.run(spec, child);
        }
    }
}
