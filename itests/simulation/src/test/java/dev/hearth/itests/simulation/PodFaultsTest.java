package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shuffles between executors in pods, under watches that break, an API server that is away, lost nodes, evictions,
 * preemptions and crashes. Every job gives the right result, and at the end nothing is left, unless the API server is away.
 */
class PodFaultsTest {
    private static final int FAULTS = 8;
    private static final Duration BOUND = Duration.ofHours(2);

    private static final Map<String, String> MANY_FAILURES = Map.of("hearth.task.maxFailures", "30");

    @TempDir
    private Path directory;

    static LongStream seeds() {
        return Simulation.seeds(20);
    }

    static LongStream fewSeeds() {
        return Simulation.seeds(5);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesTheRightResultsWhateverHappens(long seed) {
        requireRightResults(seed, new PodWorld(seed, directory, MANY_FAILURES), EnumSet.allOf(PodWorld.Fault.class));
    }

    /** The first failure of a task ends the program. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void countsTheSilenceOfNodesAsNoFailureOfTheirTasks(long seed) {
        PodWorld world = new PodWorld(seed, directory, Map.of("hearth.task.maxFailures", "1"));
        world.begin(FAULTS, EnumSet.of(PodWorld.Fault.NODE_SILENT));
        world.simulation().runUntil(world::isOver, BOUND);
        assertEquals("right", world.result(), () -> "seed " + seed);
        assertTrue(world.isOver(), () -> "nothing is left behind, not " + world.left() + ", seed " + seed);
    }

    private static void requireRightResults(long seed, PodWorld world, Set<PodWorld.Fault> kinds) {
        world.begin(FAULTS, kinds);
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
        PodWorld world = new PodWorld(seed, directory, MANY_FAILURES);
        world.begin(FAULTS, EnumSet.allOf(PodWorld.Fault.class));
        world.simulation().runUntil(world::isOver, BOUND);
        return world.simulation().fingerprint();
    }
}
