package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shuffles between executors in containers of YARN, under a ResourceManager that restarts, application masters and nodes that
 * are lost, decommissioning, preemption and crashes. Every job gives the right result, and at the end nothing is left.
 */
class ContainerFaultsTest {
    private static final int FAULTS = 8;
    private static final Duration BOUND = Duration.ofHours(2);

    @TempDir
    private Path directory;

    static LongStream seeds() {
        return Simulation.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesTheRightResultsWhateverHappens(long seed) {
        ContainerWorld world = new ContainerWorld(seed, directory);
        world.begin(FAULTS);
        world.simulation().runUntil(world::isOver, BOUND);

        assertEquals("right", world.result(), () -> "seed " + seed);
        assertEquals(ShufflingProgram.JOBS, world.right());
        assertTrue(world.isOver(), () -> "nothing is left behind, not " + world.left() + ", seed " + seed);
    }

    @Test
    void isTheSameEveryTimeForOneSeed(@TempDir Path another) {
        assertEquals(fingerprint(3, directory), fingerprint(3, another));
    }

    private static long fingerprint(long seed, Path directory) {
        ContainerWorld world = new ContainerWorld(seed, directory);
        world.begin(FAULTS);
        world.simulation().runUntil(world::isOver, BOUND);
        return world.simulation().fingerprint();
    }
}
