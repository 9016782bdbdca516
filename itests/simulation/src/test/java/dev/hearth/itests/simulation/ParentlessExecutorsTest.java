package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingClusterManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Executors that no parent watches, as pods and containers are: each ends by itself when its driver crashes, loses its
 * machine or the network, whenever that is, also before the executor has registered or even started.
 */
class ParentlessExecutorsTest {
    private static final int EXECUTORS = 8;
    private static final Duration STARTS = Duration.ofSeconds(20);
    private static final Duration BOUND = Duration.ofMinutes(15);
    private static final Path NOWHERE = Path.of("work");

    static LongStream seeds() {
        return Simulation.seeds(60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void endWithTheirDriverWheneverItIsLost(long seed) {
        Simulation simulation = new Simulation(seed);
        SimulatedProcess driver = simulation.process("driver");
        SimulatedProcesses containers =
                new SimulatedProcesses(simulation.process("container runtime"), SimulatedExecutor::run);
        CompletableFuture<DriverServices> opened = new CompletableFuture<>();
        DriverContext context = SimulatedDriver.context(
                driver,
                "application",
                Settings.empty(),
                MasterUrl.parse("pods"),
                TestingClusterManager.recording("app-1", opened::complete, event -> {}));
        context.opening();
        simulation.runUntil(opened::isDone, BOUND);
        CompletableFuture<EndpointUri> endpoint = new CompletableFuture<>();
        opened.join().loop().execute(() -> endpoint.complete(opened.join().driverEndpoint()));
        simulation.runUntil(endpoint::isDone, BOUND);

        Set<Integer> statuses = new LinkedHashSet<>();
        for (int number = 0; number < EXECUTORS; number++) {
            ExecutorOrders orders = new ExecutorOrders(
                    new ExecutorId("pod-" + number), "node-" + number % 2, 1, endpoint.join(), "10.0.0." + number);
            simulation.schedule(
                    upTo(simulation, STARTS),
                    () -> containers
                            .start(orders.child(new ApplicationId("app-1"), Map.of(), 512, NOWHERE))
                            .exit()
                            .thenAccept(statuses::add));
        }
        simulation.schedule(upTo(simulation, STARTS.multipliedBy(2)), () -> {
            if (simulation.random().nextBoolean()) {
                driver.crash();
            } else {
                driver.vanish();
            }
        });
        simulation.runFor(STARTS.multipliedBy(2));
        assertEquals(EXECUTORS, containers.started().size());
        simulation.runUntil(() -> containers.started().stream().noneMatch(SimulatedProcesses.Child::isAlive), BOUND);

        simulation.require(
                "no orphans", () -> containers.started().stream().noneMatch(SimulatedProcesses.Child::isAlive));
        assertEquals(Set.of(ExitCode.DRIVER_LOST.status()), statuses, () -> "seed " + seed);
    }

    private static Duration upTo(Simulation simulation, Duration bound) {
        return Duration.ofMillis(simulation.random().nextLong(bound.toMillis()));
    }
}
