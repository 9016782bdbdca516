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
 * Shuffles between executors that crash, exit early, hang, are slow, are decommissioned, lose their host or files,
 * have full disks, or are partitioned from one another or from their driver. Every job gives the right result, and at
 * the end nothing is left.
 */
class ShuffleFaultsTest {
    private static final int FAULTS_MAX = 16;
    private static final Duration BOUND = Duration.ofHours(2);

    @TempDir
    private Path directory;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesTheRightResultsWhateverHappens(long seed) {
        ShuffleWorld world = new ShuffleWorld(seed, directory);
        world.begin(FAULTS_MAX);
        world.simulation().runUntil(world::isOver, BOUND);

        world.simulation()
                .require(
                        "right results, not '" + world.result() + "'",
                        () -> world.result().equals("right"));
        assertEquals(world.wanted(), world.right());
        assertTrue(world.isOver(), () -> "nothing is left behind, seed " + seed);
    }

    @Test
    void isTheSameEveryTimeForOneSeed(@TempDir Path another) {
        for (long seed = 1; seed <= 4; seed++) { // of all kinds of persisted datasets
            assertEquals(fingerprint(seed, directory), fingerprint(seed, another));
        }
    }

    private static long fingerprint(long seed, Path directory) {
        ShuffleWorld world = new ShuffleWorld(seed, directory);
        world.begin(FAULTS_MAX);
        world.simulation().runUntil(world::isOver, BOUND);
        return world.simulation().fingerprint();
    }
}
