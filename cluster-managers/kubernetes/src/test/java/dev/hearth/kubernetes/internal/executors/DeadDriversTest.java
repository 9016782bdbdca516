package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.sweep.SweepResult;
import dev.hearth.kubernetes.internal.sweep.SweepShell;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Drivers outside the cluster that live and die, and sweeps of their namespace. */
class DeadDriversTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String EXECUTOR_PODS = "spark-role=executor";

    private Simulation simulation = new Simulation(1);
    private SimulatedApiServer server = new SimulatedApiServer(simulation);
    private int sweeps;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    private SweepResult sweep() {
        List<SweepResult> results = new ArrayList<>();
        EventLoop loop = simulation.process("sweep-" + ++sweeps).loop("sweep");
        loop.execute(() -> new SweepShell(server, loop, SweepShell.AGE).run().thenAccept(results::add));
        assertTrue(simulation.runUntil(() -> !results.isEmpty(), MINUTE));
        return results.get(0);
    }

    private SimulatedApplication driver(String name, int executors) {
        SimulatedApplication made = new SimulatedApplication(simulation, server, name, AllocatorSettings.DEFAULTS);
        made.want(executors);
        return made;
    }

    /** Kills a driver, whose executors end by themselves without its connection. */
    private void kill(SimulatedApplication application) {
        application.process.crash();
        simulation.schedule(
                Duration.ofSeconds(50),
                () -> server.running(application.pods.selector()).forEach(pod -> server.end(pod, 56, "Error")));
    }

    @Test
    void deletesWhatADriverLeavesThatDiesAfterAnyRequest() {
        for (int last = 1; last <= 12; last++) {
            for (boolean arrives : new boolean[] {false, true}) {
                simulation = new Simulation(last);
                server = new SimulatedApiServer(simulation);
                diesAfter(last, arrives);
                simulation.runFor(Duration.ofMinutes(2));
                sweep();
                simulation.runFor(Duration.ofMinutes(20));
                sweep();
                simulation.runFor(MINUTE);
                assertEquals(List.of(), server.names(), "request " + last + (arrives ? " arrives" : " is lost"));
            }
        }
    }

    private void diesAfter(int last, boolean arrives) {
        SimulatedApplication application = driver("app", 5);
        server.admission = () -> {
            if (server.requests == last) {
                kill(application);
                return arrives;
            }
            return true;
        };
        simulation.runFor(MINUTE);
        server.admission = () -> true;
        kill(application);
    }

    @Test
    void leavesADriverAloneThatHasNoExecutors() {
        SimulatedApplication application = driver("app", 0);
        for (int i = 0; i < 30; i++) {
            simulation.runFor(Duration.ofMinutes(7));
            assertEquals(0, sweep().count(SweepResult.Action.DELETED));
        }
        application.want(2);
        assertTrue(simulation.runUntil(() -> application.live.size() == 2, MINUTE));
    }

    @Test
    void leavesADriverAloneThatCannotRenewWhileItsExecutorsRun() {
        SimulatedApplication application = driver("app", 3);
        assertTrue(simulation.runUntil(() -> application.live.size() == 3, MINUTE));
        application.process.pause(); // it does not reach the API server, for example
        sweep();
        simulation.runFor(Duration.ofHours(2));
        SweepResult result = sweep();
        assertEquals(1, result.count(SweepResult.Action.IN_USE), result::toString);
        assertTrue(server.exists(Resource.SECRET, "app-orders"));
    }

    @Test
    void sparesAnAnchorThatIsRenewedBetweenTheListAndTheDeletion() {
        SimulatedApplication application = driver("app", 0);
        simulation.runFor(MINUTE);
        sweep();
        server.away = true; // the driver alone does not reach it, as far as the sweep sees
        simulation.runFor(Duration.ofMinutes(25));
        server.away = false;
        List<SweepResult> results = new ArrayList<>();
        EventLoop loop = simulation.process("late").loop("sweep");
        int before = server.deletionRequests();
        server.admission = () -> {
            if (server.deletionRequests() > before) { // after the lists of the sweep
                server.touch(Resource.SECRET, "app-orders");
            }
            return true;
        };
        loop.execute(() -> new SweepShell(server, loop, SweepShell.AGE).run().thenAccept(results::add));
        simulation.runFor(MINUTE);
        assertTrue(server.exists(Resource.SECRET, "app-orders"), results::toString);
        assertTrue(results.get(0).firstProblem().contains("modified"), results::toString);
        assertTrue(application.openFailure.isEmpty());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void deletesTheAnchorsOfTheDeadAlone(long seed) {
        simulation = new Simulation(seed);
        server = new SimulatedApiServer(simulation);
        List<SimulatedApplication> living = new ArrayList<>();
        List<SimulatedApplication> dead = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            (simulation.random().nextBoolean() ? living : dead)
                    .add(driver("app-" + i, simulation.random().nextInt(3)));
        }
        simulation.runFor(Duration.ofMinutes(simulation.random().nextInt(10)));
        server.faultRate = simulation.random().nextDouble() * 0.1;
        dead.forEach(this::kill);
        for (int i = 0; i < 20; i++) {
            simulation.runFor(Duration.ofSeconds(simulation.random().nextInt(600)));
            if (simulation.random().nextInt(4) == 0) {
                server.breakWatches(new Answer.Unknown("connection reset"));
            }
            sweep();
        }
        server.faultRate = 0;
        for (int i = 0; i < 3; i++) {
            simulation.runFor(Duration.ofMinutes(21));
            sweep();
        }
        simulation.runFor(MINUTE);
        for (SimulatedApplication application : living) {
            assertTrue(server.exists(Resource.SECRET, application.pods.anchorName()), "seed " + seed);
            assertEquals(Map.of(), application.lost);
        }
        for (SimulatedApplication application : dead) {
            assertEquals(List.of(), server.pods(application.pods.selector()));
            assertTrue(!server.exists(Resource.SECRET, application.pods.anchorName()), "seed " + seed);
        }
        assertEquals(
                living.stream().mapToInt(application -> application.wanted).sum(),
                server.pods(EXECUTOR_PODS).size());
    }
}
