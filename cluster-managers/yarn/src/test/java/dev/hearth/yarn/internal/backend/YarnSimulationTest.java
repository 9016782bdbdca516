package dev.hearth.yarn.internal.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs applications under random wishes and faults of a simulated cluster, then lets the faults end. */
class YarnSimulationTest {
    private static final Duration CALM = Duration.ofMinutes(15);
    private static final int TROUBLES = 60;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void holdsWhatIsWantedOnceFaultsEnd(long seed) {
        YarnWorld world = new YarnWorld(seed, 8, seed % 3 == 0);
        world.trouble(TROUBLES);
        world.calmDown();
        assertTrue(world.simulation.runUntil(world::isQuiet, CALM), () -> "seed " + seed + ": " + world.state());
        for (AllocatingDriver driver : world.drivers()) {
            assertTrue(driver.end.isEmpty(), () -> "seed " + seed + ": " + driver.end);
        }
        world.simulation.runFor(YarnWorld.EXCLUSION.plusSeconds(10)); // until own exclusions are over
        assertTrue(world.simulation.runUntil(world::isQuiet, CALM), () -> "seed " + seed + ": " + world.state());
        assertEquals(Set.of(), world.forgotten(), () -> "seed " + seed);
        assertEquals(Set.of(YarnWorld.NEVER_USED), world.yarn.excluded(), () -> "seed " + seed);
        for (AllocatingDriver driver : world.drivers()) {
            assertEquals(Set.of(), driver.leaving, () -> "seed " + seed);
            String last = driver.hindrances.isEmpty() ? "" : driver.hindrances.get(driver.hindrances.size() - 1);
            assertEquals("", last, () -> "seed " + seed);
        }
        answersAWantWithinThreeBeats(world);
        endsEverything(world);
    }

    private static void answersAWantWithinThreeBeats(YarnWorld world) {
        world.yarn.lateness = 0;
        for (AllocatingDriver driver :
                world.drivers()) { // what runs beyond what is wanted is released, as an engine does
            List.copyOf(driver.live.keySet()).stream()
                    .skip(driver.wanted)
                    .forEach(executor -> driver.giveUp(executor, "idle"));
        }
        world.simulation.runFor(Duration.ofSeconds(20));
        assertTrue(world.isQuiet(), world::state);
        int before = world.line.beats;
        int more = world.driver.wanted + 3;
        world.driver.want(more, Map.of(), Set.of());

        assertTrue(
                world.simulation.runUntil(() -> world.driver.live.size() == more, Duration.ofSeconds(5)), world::state);
        int beats = world.line.beats - before;
        assertTrue(beats <= 3, () -> beats + " beats (expected: at most 3)");
    }

    private static void endsEverything(YarnWorld world) {
        world.second().ifPresent(second -> {
            int before = world.driver.live.size();
            second.close();
            assertTrue(world.simulation.runUntil(() -> second.closed, Duration.ofSeconds(3)));
            assertTrue(
                    world.simulation.runUntil(() -> world.yarn.containers().size() == before, Duration.ofSeconds(10)),
                    world::state);
            world.driver.close();
        });
        if (world.second().isEmpty()) {
            world.driver.close();
        } else {
            world.simulation.runFor(Duration.ofSeconds(3));
            assertEquals(Set.of(), world.yarn.containers(), world::state);
            world.finish();
        }
        world.simulation.runFor(Duration.ofSeconds(10));
        assertTrue(world.driver.closed);
        assertEquals(0, world.held());
        assertEquals(Set.of(), world.yarn.containers());
        assertEquals(0, world.yarn.asked());
        assertEquals(List.of(), world.executors.running(), "processes without a container");
    }
}
