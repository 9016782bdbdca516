package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shuffles between executors that hand their map outputs over to a shuffle service of their host. Killed executors make
 * no stage run again, because their outputs stay. Under all other faults every job gives the right result.
 */
@Timeout(300)
class ServedShuffleTest {
    private static final int SEEDS_MAX = 500;
    private static final int CRASHES_MAX = 12;
    private static final int FAULTS_MAX = 16;
    private static final Duration BOUND = Duration.ofHours(2);
    private static final Duration GRACE = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    static LongStream seeds() {
        return Simulation.seeds(5).limit(SEEDS_MAX);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void runsNoStageAgainAlthoughExecutorsAreKilled(long seed) throws IOException {
        ShuffleWorld world = new ShuffleWorld(seed, directory, true);
        world.beginWithCrashes(CRASHES_MAX);
        end(world, seed);
        assertEquals(List.of(), world.repeatedStages(), () -> "stages that ran again, seed " + seed);
        world.simulation().runFor(GRACE);
        assertEquals(List.of(), world.served(), () -> "directories of the services, seed " + seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesTheRightResultsWhateverHappens(long seed) {
        ShuffleWorld world = new ShuffleWorld(seed, directory, true);
        world.begin(FAULTS_MAX);
        end(world, seed);
    }

    private static void end(ShuffleWorld world, long seed) {
        world.simulation().runUntil(world::isOver, BOUND);
        assertEquals("right", world.result(), () -> "seed " + seed);
        assertEquals(world.wanted(), world.right());
        assertTrue(world.isOver(), () -> "nothing is left behind, seed " + seed);
    }
}
