package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs an application from its submission to its result on a simulated cluster, with random delays and one process
 * killed half-way. Each loss of a process has one defined outcome, and none leaves a resource in use.
 */
class WholeLineTest {
    private static final Duration BOUND = Duration.ofMinutes(10);

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    static LongStream fewSeeds() {
        return Simulation.seeds(30);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void endsWithTheRightResultAlthoughItsFirstExecutorIsKilled(long seed) {
        SimulatedCluster cluster = begin(seed);
        killFirst(cluster, "executor");
        cluster.submit();
        decide(cluster, seed);

        assertEquals(SubmissionState.FINISHED, cluster.state(), () -> "seed " + seed + ": " + cluster.heard());
        assertEquals(
                "sum is " + SimulatedCluster.EXPECTED + "\n",
                cluster.heard().get(cluster.heard().size() - 1).output());
        assertEquals(
                List.of(SubmissionState.RUNNING, SubmissionState.FINISHED),
                cluster.heard().stream()
                        .map(SubmissionStatus::state)
                        // received if the submission came before the worker
                        .filter(state -> state != SubmissionState.SUBMITTED)
                        .distinct()
                        .toList());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void givesUpAnApplicationWhoseExecutorsAllDieAtOnce(long seed) {
        SimulatedCluster cluster = begin(seed);
        cluster.whenStarted(child -> {
            if (child.role().equals("executor")) {
                Duration after = Duration.ofMillis(cluster.simulation().random().nextLong(40));
                cluster.simulation().schedule(after, child::crash);
            }
        });
        cluster.submit();
        decide(cluster, seed);

        assertEquals(SubmissionState.FAILED, cluster.state());
        String output = cluster.heard().get(cluster.heard().size() - 1).output();
        assertTrue(
                output.contains("executors failed soon after their start") || output.contains("executor lost"),
                () -> "seed " + seed + ": " + output);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void tellsTheSubmitterWhenItsDriverIsKilled(long seed) {
        SimulatedCluster cluster = begin(seed);
        killFirst(cluster, "driver");
        cluster.submit();
        decide(cluster, seed);

        assertEquals(SubmissionState.FAILED, cluster.state());
        assertEquals(
                137,
                cluster.heard().get(cluster.heard().size() - 1).exitStatus().orElseThrow());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void tellsTheSubmitterWhenTheWorkerIsKilled(long seed) {
        SimulatedCluster cluster = begin(seed);
        cluster.submit();
        killSoon(cluster, cluster.worker()::crash);
        decide(cluster, seed);

        // Killed before the driver was placed, the driver waits for another worker: there is none, so nothing is
        // decided.
        assertTrue(
                cluster.state() == SubmissionState.ERROR || cluster.state() == SubmissionState.SUBMITTED,
                () -> cluster.heard().toString());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void leavesNothingBehindWhenTheMasterIsKilled(long seed) {
        SimulatedCluster cluster = begin(seed);
        cluster.submit();
        killSoon(cluster, cluster.master()::crash);
        cluster.simulation().runFor(Duration.ofMinutes(2));

        assertTrue(cluster.isDecided(), () -> "the submitter hears of it, seed " + seed);
        assertTrue(cluster.isQuiet(), () -> "no driver and no executor outlives its master, seed " + seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void killsAllSubmissionsThatMatchAPattern(long seed) {
        SimulatedCluster cluster = begin(seed);
        cluster.submit();
        cluster.simulation().runUntil(() -> cluster.state() == SubmissionState.RUNNING, BOUND);
        CompletableFuture<List<SubmissionStatus>> others = cluster.kill("application-*");
        CompletableFuture<List<SubmissionStatus>> killed = cluster.kill("driver-*-????");
        cluster.simulation().runUntil(() -> others.isDone() && killed.isDone(), BOUND);
        decide(cluster, seed);

        assertEquals(List.of(), others.join());
        assertEquals(1, killed.join().size());
        // its end may be faster than the request
        boolean wasRunning = killed.join().get(0).state() == SubmissionState.RUNNING;
        assertEquals(wasRunning ? SubmissionState.KILLED : SubmissionState.FINISHED, cluster.state());
    }

    @Test
    void isTheSameEveryTimeForOneSeed() {
        assertEquals(fingerprint(7), fingerprint(7));
    }

    private static long fingerprint(long seed) {
        SimulatedCluster cluster = begin(seed);
        killFirst(cluster, "executor");
        cluster.submit();
        cluster.simulation().runUntil(cluster::isDecided, BOUND);
        return cluster.simulation().fingerprint();
    }

    private static SimulatedCluster begin(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        cluster.simulation()
                .network()
                .delayUpTo(Duration.ofMillis(cluster.simulation().random().nextLong(1, 50)));
        cluster.simulation()
                .always(
                        "free cores within what there is",
                        () -> cluster.coresFree() >= 0 && cluster.coresFree() <= SimulatedCluster.CORES);
        return cluster;
    }

    /** Kills the first child of a role within its first seconds. */
    private static void killFirst(SimulatedCluster cluster, String role) {
        boolean[] chosen = {false};
        cluster.whenStarted(child -> {
            if (child.role().equals(role) && !chosen[0]) {
                chosen[0] = true;
                Duration after = Duration.ofMillis(cluster.simulation().random().nextLong(3_000));
                cluster.simulation().schedule(after, child::crash);
            }
        });
    }

    private static void killSoon(SimulatedCluster cluster, Runnable kill) {
        cluster.simulation()
                .schedule(Duration.ofMillis(cluster.simulation().random().nextLong(5_000)), kill);
    }

    private static void decide(SimulatedCluster cluster, long seed) {
        cluster.simulation().runUntil(cluster::isDecided, BOUND);
        cluster.simulation().runFor(Duration.ofMinutes(1));
        assertTrue(cluster.isQuiet(), () -> "nothing is left behind, seed " + seed);
    }
}
