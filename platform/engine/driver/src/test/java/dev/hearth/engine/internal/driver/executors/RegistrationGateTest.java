package dev.hearth.engine.internal.driver.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds back the first tasks in virtual time. */
class RegistrationGateTest {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final int CORES = 4;

    private final ManualEventLoop loop = new ManualEventLoop();
    private final List<String> happened = new ArrayList<>();
    private int registered;
    private int wanted = 10;

    private RegistrationGate gate(double ratio, OptionalInt coresRequested) {
        return new RegistrationGate(
                loop,
                new RegistrationSettings(ratio, WAIT, coresRequested),
                () -> registered,
                () -> registered * CORES,
                held -> happened.add(held ? "held" : "open"));
    }

    private void register(RegistrationGate gate, int executors) {
        for (int i = 0; i < executors; i++) {
            registered++;
            gate.check();
        }
    }

    @Test
    void opensWithTheShareOfTheRequestedExecutors() {
        RegistrationGate gate = gate(0.8, OptionalInt.empty());
        gate.start(() -> Demand.of(wanted));
        gate.jobSubmitted();
        register(gate, 7);
        assertEquals(List.of("held"), happened);
        register(gate, 1);
        assertEquals(List.of("held", "open"), happened);
        loop.pass(WAIT);
        registered = 0;
        gate.check();
        assertEquals(List.of("held", "open"), happened, "it stays open");
    }

    @Test
    void opensWhenTheTimeIsOver() {
        RegistrationGate gate = gate(0.8, OptionalInt.empty());
        gate.start(() -> Demand.of(wanted));
        register(gate, 1);
        loop.pass(WAIT.minusMillis(1));
        assertEquals(List.of("held"), happened);
        loop.pass(Duration.ofMillis(1));
        assertEquals(List.of("held", "open"), happened);
        register(gate, 9);
        assertEquals(List.of("held", "open"), happened);
    }

    @Test
    void opensWithTheShareOfTheRequestedCores() {
        RegistrationGate gate = gate(0.5, OptionalInt.of(16));
        gate.start(() -> Demand.ALL);
        register(gate, 1);
        assertEquals(List.of("held"), happened);
        register(gate, 1);
        assertEquals(List.of("held", "open"), happened);
    }

    @Test
    void opensWhenFewerExecutorsAreRequested() {
        RegistrationGate gate = gate(1, OptionalInt.empty());
        gate.start(() -> Demand.of(wanted));
        register(gate, 4);
        wanted = 4;
        gate.check();
        assertEquals(List.of("held", "open"), happened);
    }

    @ParameterizedTest
    @CsvSource({"0, 10, 16", "0.8, 2147483647, ", "1, 0, "})
    void neverClosesWithoutAShareThatIsKnown(double ratio, int executors, Integer cores) {
        gate(ratio, cores == null ? OptionalInt.empty() : OptionalInt.of(cores)).start(() -> Demand.of(executors));
        loop.pass(WAIT);
        assertEquals(List.of(), happened);
    }

    @Test
    void staysSilentAfterTheEndOfTheApplication() {
        RegistrationGate gate = gate(0.8, OptionalInt.empty());
        gate.start(() -> Demand.of(wanted));
        gate.stop();
        loop.pass(WAIT);
        register(gate, 10);
        assertEquals(List.of("held"), happened);
    }
}
