package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.Simulation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random sets on random executors in virtual time; a broken invariant reports its seed and time. */
class TaskSchedulerSimulationTest {
    private static final int SEEDS = 150;
    private static final Map<String, Integer> SEEN = new LinkedHashMap<>();
    private static int runs;

    static LongStream seeds() {
        return Simulation.seeds(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void losesNothingAndCountsNothingTwice(long seed) {
        SchedulerWorld cluster = new SchedulerWorld(seed);
        cluster.run();
        assertEquals(0, cluster.scheduler().taskSets(), () -> "seed " + seed + ": sets that never ended");
        assertEquals(0, cluster.scheduler().runningTasks(), () -> "seed " + seed + ": attempts never forgotten");
        cluster.seen().forEach((what, times) -> SEEN.merge(what, times, Integer::sum));
        runs++;
    }

    /** A kind of event that never occurs in the simulation is not tested. */
    @AfterAll
    static void everythingHappened() {
        List<String> expected = List.of(
                "SUCCEEDED",
                "FAILED",
                "KILLED",
                "KILLED copy",
                "EXECUTOR_LOST",
                "COMMIT_DENIED",
                "RECALLED",
                "FetchFailed",
                "BarrierBroken",
                "GiveBack",
                "SetFailed TASK_FAILED",
                "SetFailed NOWHERE_TO_RUN",
                "Succeeded PROCESS_LOCAL",
                "Succeeded NODE_LOCAL",
                "Succeeded NO_PREF",
                "Succeeded RACK_LOCAL",
                "Succeeded ANY",
                "Succeeded ANY copy",
                "ExecutorExcluded",
                "ExecutorReadmitted",
                "HostExcluded",
                "HostReadmitted");
        assertTrue(
                runs < SEEDS || SEEN.keySet().containsAll(expected),
                () -> "in " + runs + " runs only " + SEEN + " happened");
    }
}
