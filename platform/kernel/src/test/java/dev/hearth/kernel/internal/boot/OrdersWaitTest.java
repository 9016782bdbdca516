package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kernel.internal.boot.OrdersWait.State;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wait for launch orders, on virtual time. */
class OrdersWaitTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final OrdersWait wait = new OrdersWait("orders of x", BOUND.toNanos(), 5);

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    @Test
    void readsOneSourceOnce() {
        assertTrue(wait.found());
        assertFalse(wait.found(), "another source that comes later is not read");
        wait.read();
        wait.failed("late");
        wait.cancelled();
        wait.passed(Long.MAX_VALUE / 2);
        assertEquals(State.READ, wait.state());
        assertEquals("", wait.problem());
    }

    @Test
    void saysAtItsDeadlineWhatItWaitedFor() {
        wait.passed(4 + BOUND.toNanos());
        assertEquals(State.SEEKING, wait.state());
        assertEquals(1, wait.remainingNanos(4 + BOUND.toNanos()));
        wait.passed(5 + BOUND.toNanos());
        assertEquals(State.FAILED, wait.state());
        assertEquals("orders of x: not there after 30 s (expected: a service of a bundle of the role)", wait.problem());
        assertFalse(wait.found());

        OrdersWait slow = new OrdersWait("orders of x", BOUND.toNanos(), 5);
        slow.found();
        slow.passed(5 + BOUND.toNanos());
        assertEquals("orders of x: incomplete after 30 s (expected: all of them within that time)", slow.problem());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void endsOnceAndForGoodWhateverHappens(long seed) {
        Simulation simulation = new Simulation(seed);
        OrdersWait chaotic =
                new OrdersWait("x", BOUND.toNanos(), simulation.ticker().nanos());
        AtomicReference<State> end = new AtomicReference<>(State.SEEKING);
        List<Runnable> events = List.of(
                chaotic::found,
                chaotic::read,
                () -> chaotic.failed("broken"),
                chaotic::cancelled,
                () -> chaotic.passed(simulation.ticker().nanos()));
        for (int at = 0; at < 12; at++) {
            Runnable event = events.get(simulation.random().nextInt(events.size()));
            simulation.schedule(Duration.ofSeconds(simulation.random().nextInt(40)), event);
        }
        simulation.schedule(BOUND, () -> chaotic.passed(simulation.ticker().nanos()));
        simulation.always("one end", () -> {
            State now = chaotic.state();
            State before = end.getAndSet(now);
            return !before.isFinal() || before == now;
        });
        simulation.runFor(Duration.ofMinutes(1));
        simulation.require("over at its deadline", () -> chaotic.state().isFinal());
        assertEquals(chaotic.state() == State.FAILED, !chaotic.problem().isEmpty());
    }
}
