package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs an application from its submission to its result on a simulated cluster of each kind, with random delays and one
 * process killed half-way. Each loss of a process has one defined outcome, and none leaves a resource in use.
 */
class WholeLineTest {
    private static final Duration BOUND = Duration.ofMinutes(10);

    /** Kinds of clusters. */
    private enum Kind {
        STANDALONE,
        OUTSIDE_MANAGER;

        ApplicationCluster begin(long seed) {
            return switch (this) {
                case STANDALONE -> new SimulatedCluster(seed);
                case OUTSIDE_MANAGER -> new SimulatedContainers(seed);
            };
        }
    }

    static Stream<Arguments> seeds() {
        return ofEachKind(100);
    }

    static Stream<Arguments> fewSeeds() {
        return ofEachKind(30);
    }

    private static Stream<Arguments> ofEachKind(int seeds) {
        return Stream.of(Kind.values())
                .flatMap(kind -> Simulation.seeds(seeds).mapToObj(seed -> Arguments.of(kind, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("seeds")
    void endsWithTheRightResultAlthoughItsFirstExecutorIsKilled(Kind kind, long seed) {
        ApplicationCluster cluster = begin(kind, seed);
        killFirst(cluster, "executor");
        cluster.submit();
        decide(cluster, seed);

        assertEquals(SubmissionState.FINISHED, cluster.state(), () -> "seed " + seed + ": " + cluster.heard());
        assertEquals(
                "sum is " + ApplicationCluster.EXPECTED + "\n",
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

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("fewSeeds")
    void givesUpAnApplicationWhoseExecutorsAllDieAtOnce(Kind kind, long seed) {
        ApplicationCluster cluster = begin(kind, seed);
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

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("fewSeeds")
    void tellsTheSubmitterWhenItsDriverIsKilled(Kind kind, long seed) {
        ApplicationCluster cluster = begin(kind, seed);
        killFirst(cluster, "driver");
        cluster.submit();
        decide(cluster, seed);

        assertEquals(SubmissionState.FAILED, cluster.state());
        assertEquals(
                137,
                cluster.heard().get(cluster.heard().size() - 1).exitStatus().orElseThrow());
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("fewSeeds")
    void tellsTheSubmitterWhenTheMachineIsKilled(Kind kind, long seed) {
        ApplicationCluster cluster = begin(kind, seed);
        cluster.submit();
        killSoon(cluster, cluster.machine()::crash);
        decide(cluster, seed);

        assertTrue(
                cluster.statesWithoutMachine().contains(cluster.state()),
                () -> cluster.heard().toString());
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("fewSeeds")
    void leavesNothingBehindWhenTheControllerIsKilled(Kind kind, long seed) {
        ApplicationCluster cluster = begin(kind, seed);
        cluster.submit();
        killSoon(cluster, cluster.controller()::crash);
        cluster.simulation().runFor(Duration.ofMinutes(2));

        assertTrue(
                cluster.isDecided() || !cluster.submitter().alive(),
                () -> "the submitter receives the outcome, seed " + seed);
        assertTrue(cluster.isQuiet(), () -> "no driver and no executor is left, seed " + seed);
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("fewSeeds")
    void killsAllSubmissionsThatMatchAPattern(Kind kind, long seed) {
        ApplicationCluster cluster = begin(kind, seed);
        cluster.submit();
        cluster.simulation().runUntil(() -> cluster.state() == SubmissionState.RUNNING, BOUND);
        CompletableFuture<List<SubmissionStatus>> others = cluster.kill("application-*");
        CompletableFuture<List<SubmissionStatus>> killed = cluster.kill(cluster.submissions());
        cluster.simulation().runUntil(() -> others.isDone() && killed.isDone(), BOUND);
        decide(cluster, seed);

        assertEquals(List.of(), others.join());
        assertEquals(1, killed.join().size());
        // its end may be faster than the request
        boolean wasRunning = killed.join().get(0).state() == SubmissionState.RUNNING;
        assertEquals(wasRunning ? SubmissionState.KILLED : SubmissionState.FINISHED, cluster.state());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void isTheSameEveryTimeForOneSeed(Kind kind) {
        assertEquals(fingerprint(kind, 7), fingerprint(kind, 7));
    }

    private static long fingerprint(Kind kind, long seed) {
        ApplicationCluster cluster = begin(kind, seed);
        killFirst(cluster, "executor");
        cluster.submit();
        cluster.simulation().runUntil(cluster::isDecided, BOUND);
        return cluster.simulation().fingerprint();
    }

    private static ApplicationCluster begin(Kind kind, long seed) {
        ApplicationCluster cluster = kind.begin(seed);
        cluster.simulation()
                .network()
                .delayUpTo(Duration.ofMillis(cluster.simulation().random().nextLong(1, 50)));
        cluster.simulation().always("no more in use than there is", cluster::isWithinBounds);
        return cluster;
    }

    /** Kills the first child of a role within its first seconds, before the application can have ended. */
    private static void killFirst(ApplicationCluster cluster, String role) {
        boolean[] chosen = {false};
        cluster.whenStarted(child -> {
            if (child.role().equals(role) && !chosen[0]) {
                chosen[0] = true;
                Duration after = Duration.ofMillis(cluster.simulation().random().nextLong(2_000));
                cluster.simulation().schedule(after, child::crash);
            }
        });
    }

    private static void killSoon(ApplicationCluster cluster, Runnable kill) {
        cluster.simulation()
                .schedule(Duration.ofMillis(cluster.simulation().random().nextLong(2_000)), kill);
    }

    private static void decide(ApplicationCluster cluster, long seed) {
        cluster.simulation().runUntil(cluster::isDecided, BOUND);
        cluster.simulation().runFor(Duration.ofMinutes(1));
        assertTrue(cluster.isQuiet(), () -> "nothing is left, seed " + seed);
    }
}
