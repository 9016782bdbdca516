package dev.hearth.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Time, order, loops and failures of a simulation. */
class SimulationTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Simulation simulation = new Simulation(42);
    private final List<String> happened = new ArrayList<>();

    @Test
    void runsEventsByTimeAndThenByScheduling() {
        at(2, "c");
        at(1, "a");
        at(1, "b");
        simulation.run();
        assertEquals(List.of("a", "b", "c"), happened);
        assertEquals(Duration.ofSeconds(2), simulation.elapsed());
        assertEquals(Simulation.WALL_START.plusSeconds(2), simulation.ticker().wall());
    }

    @Test
    void advancesTimeWithoutEvents() {
        at(3, "late");
        long before = simulation.ticker().nanos();
        simulation.runFor(Duration.ofSeconds(2));
        assertEquals(List.of(), happened);
        assertEquals(Duration.ofSeconds(2).toNanos(), simulation.ticker().nanos() - before);
        simulation.runFor(SECOND);
        assertEquals(List.of("late"), happened);
    }

    @Test
    void stopsAtOnceWhenAConditionHolds() {
        at(1, "a");
        at(2, "b");
        assertTrue(simulation.runUntil(() -> happened.contains("a"), Duration.ofHours(1)));
        assertEquals(SECOND, simulation.elapsed());
        assertFalse(simulation.runUntil(() -> happened.contains("c"), Duration.ofSeconds(9)));
        assertEquals(Duration.ofSeconds(10), simulation.elapsed());
    }

    @Test
    void repeatsUntilCancelled() {
        EventLoop.Timeout repetition = simulation.every(SECOND, () -> happened.add("tick"));
        simulation.runFor(Duration.ofMillis(3_500));
        assertEquals(List.of("tick", "tick", "tick"), happened);
        repetition.cancel();
        simulation.run();
        assertEquals(3, happened.size());
    }

    @Test
    void cancelledEventsTakeNoTime() {
        simulation.schedule(Duration.ofDays(1), () -> happened.add("never")).cancel();
        simulation.run();
        assertEquals(List.of(), happened);
        assertEquals(Duration.ZERO, simulation.elapsed());
    }

    @Test
    void reportsABrokenInvariantWithSeedTimeAndReplay() {
        simulation.always("calm", () -> !happened.contains("storm"));
        at(1, "breeze");
        at(2, "storm");
        simulation.schedule(SECOND, () -> simulation.note("clouds"));
        AssertionError error = assertThrows(AssertionError.class, simulation::run);
        assertEquals(
                "simulation: invariant 'calm' is broken at 2.000000000s with seed 42; replay with mvn -Dquick test"
                        + " -pl platform/testkit -am -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dtest='SimulationTest#reportsABrokenInvariantWithSeedTimeAndReplay'"
                        + " -Dhearth.simulation.seed=42\n  before that:\n    1.000000000s clouds",
                error.getMessage());
    }

    @Test
    void reportsWhatAnEventThrew() {
        IllegalStateException thrown = new IllegalStateException("boom");
        simulation.schedule(SECOND, () -> {
            throw thrown;
        });
        AssertionError error = assertThrows(AssertionError.class, simulation::run);
        assertSame(thrown, error.getCause());
        assertTrue(String.valueOf(error.getMessage()).contains("-Dhearth.simulation.seed=42"), error::getMessage);
    }

    @Test
    void refusesAnEndlessRun() {
        EventLoop loop = simulation.process("spinning").loop("main");
        spin(loop);
        AssertionError error = assertThrows(AssertionError.class, simulation::run);
        assertTrue(String.valueOf(error.getMessage()).contains("no end after"), error::getMessage);
    }

    @Test
    void refusesOtherThreads() throws Exception {
        CompletableFuture<Void> elsewhere =
                CompletableFuture.runAsync(() -> simulation.schedule(SECOND, () -> happened.add("never")));
        Exception failure = assertThrows(Exception.class, () -> elsewhere.get(1, TimeUnit.MINUTES));
        assertTrue(failure.getCause() instanceof IllegalStateException, failure::toString);
    }

    @Test
    void knowsWhichLoopRuns() {
        SimulatedProcess process = simulation.process("one");
        EventLoop first = process.loop("first");
        EventLoop second = process.loop("second");
        first.execute(() -> {
            happened.add("first " + first.inLoop() + " " + second.inLoop());
            second.execute(() -> happened.add("second " + first.inLoop() + " " + second.inLoop()));
            first.execute(() -> happened.add("again"));
            happened.add("not nested");
        });
        simulation.schedule(Duration.ZERO, () -> happened.add("outside " + first.inLoop()));
        simulation.run();
        assertEquals(
                List.of("first true false", "not nested", "outside false", "second false true", "again"), happened);
        assertThrows(IllegalStateException.class, first::requireInLoop);
    }

    @Test
    void runsNothingOfAClosedLoop() {
        EventLoop loop = simulation.process("one").loop("main");
        loop.execute(() -> happened.add("dropped"));
        loop.schedule(SECOND, () -> happened.add("dropped"));
        loop.close();
        loop.execute(() -> happened.add("refused"));
        simulation.run();
        assertEquals(List.of(), happened);
    }

    @Test
    void runsNothingOfACrashedProcessAndItsHooksOnce() {
        SimulatedProcess process = simulation.process("one").onCrash(() -> happened.add("hook"));
        EventLoop loop = process.loop("main");
        loop.execute(() -> happened.add("before"));
        loop.schedule(SECOND, () -> happened.add("never"));
        simulation.runFor(Duration.ofMillis(500));
        process.crash();
        process.crash();
        simulation.run();
        assertEquals(List.of("before", "hook"), happened);
        assertThrows(IllegalStateException.class, () -> twice("two"));
        assertTrue(simulation.process("one").alive(), "a name is free again after a crash");
    }

    @Test
    void usesTheSeedToReplay() {
        assertEquals(List.of(1L, 2L, 3L), Simulation.seeds(3).boxed().toList());
        System.setProperty("hearth.simulation.seed", "77");
        try {
            assertEquals(List.of(77L), Simulation.seeds(3).boxed().toList());
        } finally {
            System.clearProperty("hearth.simulation.seed");
        }
    }

    @Test
    void advancesAFakeClock() {
        FakeTicker ticker = new FakeTicker();
        long before = ticker.nanos();
        ticker.advance(SECOND);
        assertEquals(SECOND.toNanos(), ticker.nanos() - before);
        assertEquals(Simulation.WALL_START.plus(SECOND), ticker.wall());
        assertThrows(IllegalArgumentException.class, () -> ticker.advance(SECOND.negated()));
    }

    private void at(long second, String what) {
        simulation.schedule(Duration.ofSeconds(second), () -> happened.add(what));
    }

    private void twice(String name) {
        simulation.process(name);
        simulation.process(name);
    }

    private static void spin(EventLoop loop) {
        loop.execute(() -> spin(loop));
    }
}
