package dev.hearth.yarn.internal.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.yarn.internal.line.FinalOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Breaks the connection between a driver and its relay, and kills relays, on virtual time. */
class RelayScenariosTest {
    private static final Duration DRIVER_TIMEOUT = Duration.ofSeconds(30);

    private Simulation simulation = new Simulation(1);
    private final ScriptedYarn yarn = new ScriptedYarn();
    private final List<SimulatedProcess> relays = new ArrayList<>();
    private final List<Relay> machines = new ArrayList<>();
    private SimulatedProcess driverProcess;
    private EventLoop driverLoop;
    private RelayLine line;
    private RelayedDriver driver;
    private RpcAddress address;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    private void begin() {
        driverProcess = simulation.process("driver");
        RpcEnv rpc = driverProcess.env("driver", 7077);
        address = rpc.address().orElseThrow();
        driverLoop = driverProcess.loop("application");
        line = new RelayLine(driverLoop, rpc);
        driver = new RelayedDriver(line);
        driverLoop.execute(() -> line.open(driver));
        startRelay(1);
    }

    private void startRelay(int attempt) {
        SimulatedProcess process = simulation.process("relay-" + attempt);
        relays.add(process);
        EventLoop loop = process.loop("relay");
        Relay relay = new Relay(
                loop, process.env(), address, yarn.line(loop, attempt), "container-" + attempt, DRIVER_TIMEOUT);
        machines.add(relay);
        loop.execute(relay::start);
    }

    private SimulatedProcess relay() {
        return relays.get(relays.size() - 1);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void startsEachContainerOnceOverBrokenConnections(long seed) {
        simulation = new Simulation(seed);
        begin();
        for (int round = 0; round < 10; round++) {
            driverLoop.execute(() -> driver.want(3));
            simulation.runFor(Duration.ofMillis(1_100 + simulation.random().nextInt(3_000)));
            simulation.network().cut(driverProcess, relay());
            simulation.runFor(Duration.ofMillis(simulation.random().nextInt(5_000)));
            simulation.network().healAll();
        }
        assertTrue(simulation.runUntil(() -> driver.running.size() == 30, Duration.ofMinutes(1)), this::state);
        simulation.runFor(Duration.ofSeconds(10));
        assertEquals(30, yarn.started.size());
        assertTrue(yarn.started.values().stream().allMatch(times -> times == 1), this::state);
        assertEquals(List.of(), yarn.released);
        assertTrue(driver.events.stream().noneMatch(event -> event.startsWith("unknown")), this::state);
        assertTrue(driver.events.contains("interrupted"), this::state);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsContainersOverThreeKilledRelays(long seed) {
        simulation = new Simulation(seed);
        begin();
        driverLoop.execute(() -> driver.want(10));
        for (int attempt = 2; attempt <= 4; attempt++) {
            simulation.runFor(Duration.ofMillis(simulation.random().nextInt(6_000)));
            List<String> before = List.copyOf(yarn.started.keySet());
            relay().crash();
            driverLoop.execute(() -> driver.want(2));
            simulation.runFor(Duration.ofSeconds(2));
            startRelay(attempt);
            int expected = 10 + 2 * (attempt - 1);
            assertTrue(
                    simulation.runUntil(() -> driver.running.size() == expected, Duration.ofMinutes(1)), this::state);
            assertTrue(yarn.started.keySet().containsAll(before), this::state);
        }
        assertEquals(16, yarn.started.size());
        assertEquals(16, yarn.held.size(), "containers at the ResourceManager");
        assertTrue(driver.events.contains("replaced 4"), this::state);
    }

    @Test
    void endsAsFailedOnceItsDriverHasBeenGoneForTheBound() {
        begin();
        driverLoop.execute(() -> driver.want(2));
        simulation.runUntil(() -> driver.running.size() == 2, Duration.ofSeconds(30));
        driverProcess.crash();
        simulation.runFor(DRIVER_TIMEOUT.minusSeconds(1));
        assertEquals(Optional.empty(), yarn.outcome);
        simulation.runFor(Duration.ofSeconds(2));
        assertEquals(Optional.of(FinalOutcome.FAILED), yarn.outcome);
        assertTrue(yarn.words.startsWith("driver at "), yarn.words);
        assertEquals(Relay.State.ENDED, machines.get(0).state());
    }

    @Test
    void endsAsFailedIfNoDriverEverAnswers() {
        begin();
        simulation.network().cut(driverProcess, relay());
        simulation.runFor(DRIVER_TIMEOUT.plusSeconds(1));
        assertEquals(Optional.of(FinalOutcome.FAILED), yarn.outcome);
        assertEquals(Relay.State.ENDED, machines.get(0).state());
    }

    @Test
    void waitsForADriverThatPauses() {
        begin();
        driverLoop.execute(() -> driver.want(4));
        simulation.runFor(Duration.ofMillis(1_200));
        driverProcess.pauseFor(Duration.ofSeconds(60));
        simulation.runFor(Duration.ofSeconds(59));
        assertEquals(Optional.empty(), yarn.outcome);
        assertTrue(simulation.runUntil(() -> driver.running.size() == 4, Duration.ofSeconds(20)), this::state);
        assertTrue(yarn.started.values().stream().allMatch(times -> times == 1), this::state);
    }

    @Test
    void refusesARelayWhosePlaceAnotherHasTaken() {
        begin();
        driverLoop.execute(() -> driver.want(2));
        simulation.runUntil(() -> driver.running.size() == 2, Duration.ofSeconds(30));
        simulation.network().cut(driverProcess, relays.get(0));
        startRelay(2);
        assertTrue(simulation.runUntil(() -> driver.events.contains("replaced 2"), Duration.ofSeconds(5)), this::state);
        simulation.network().healAll();
        assertTrue(
                simulation.runUntil(() -> machines.get(0).state() == Relay.State.ENDED, Duration.ofSeconds(5)),
                this::state);
        assertEquals(Optional.empty(), yarn.outcome, "the old relay must not end the application");
        assertEquals(Relay.State.SERVING, machines.get(1).state());
    }

    @Test
    void endsTheApplicationOnceAndTellsTheDriver() {
        begin();
        driverLoop.execute(() -> line.trackingUrl("http://driver:4040"));
        simulation.runFor(Duration.ofSeconds(2));
        assertEquals("http://driver:4040", yarn.url);
        List<Boolean> known = new ArrayList<>();
        driverLoop.execute(
                () -> line.finishKnown(FinalOutcome.SUCCEEDED, "done").thenAccept(known::add));
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals(Optional.of(FinalOutcome.SUCCEEDED), yarn.outcome);
        assertEquals(List.of(true), known);
        assertEquals(Relay.State.ENDED, machines.get(0).state());
    }

    @Test
    void saysThatNoRelayHasEndedTheApplication() {
        begin();
        simulation.runFor(Duration.ofSeconds(2));
        relay().crash();
        List<Boolean> known = new ArrayList<>();
        driverLoop.execute(
                () -> line.finishKnown(FinalOutcome.SUCCEEDED, "done").thenAccept(known::add));
        simulation.runFor(Duration.ofSeconds(7));
        assertEquals(List.of(), known);
        simulation.runFor(Duration.ofSeconds(2));
        assertEquals(List.of(false), known);
    }

    @Test
    void endsTheApplicationThroughANewRelayIfTheFirstDiesMeanwhile() {
        begin();
        simulation.runFor(Duration.ofSeconds(2));
        relay().crash();
        List<Boolean> known = new ArrayList<>();
        driverLoop.execute(
                () -> line.finishKnown(FinalOutcome.SUCCEEDED, "done").thenAccept(known::add));
        simulation.runFor(Duration.ofSeconds(1));
        startRelay(2);
        simulation.runFor(Duration.ofSeconds(3));
        assertEquals(List.of(true), known);
        assertEquals(Optional.of(FinalOutcome.SUCCEEDED), yarn.outcome);
        assertFalse(driver.events.contains("lost"));
    }

    private String state() {
        return machines.get(0).state() + " " + yarn.words + driver.events + " running " + driver.running.size()
                + " at YARN " + yarn.started + " held " + yarn.held.size();
    }
}
