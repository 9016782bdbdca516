package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.simulation.SupervisionCluster.Submission;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs supervised drivers on a simulated cluster while drivers, workers and connections fail and users kill drivers. No two
 * processes of one driver ever run at once, a killed driver stays killed, and each submitter learns of the end.
 */
class SupervisionTest {
    private static final Duration BOUND = Duration.ofMinutes(10);

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    static LongStream fewSeeds() {
        return Simulation.seeds(30);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void bringsEachDriverToItsEndThroughAllFaults(long seed) {
        SupervisionCluster cluster = begin(seed);
        for (int i = 0; i < 6; i++) {
            cluster.submit(true, OptionalInt.empty());
        }
        cluster.submit(true, OptionalInt.of(2));
        cluster.submit(false, OptionalInt.empty());
        for (Submission submission : cluster.submissions()) {
            if (cluster.upTo(3) == 0) {
                Duration when = Duration.ofMillis(cluster.upTo(240_000));
                cluster.simulation().schedule(when, submission::kill);
            }
        }
        cluster.storm();

        for (Submission submission : cluster.submissions()) {
            check(cluster, submission, "seed " + seed + ": " + submission.id() + ": " + submission.states());
        }
        assertTrue(cluster.isQuiet(), () -> "seed " + seed + ": all was given back");
    }

    private static void check(SupervisionCluster cluster, Submission submission, String story) {
        SubmissionState last = submission.last().state();
        List<Integer> attempts = cluster.attempts(submission.id());
        assertTrue(last.isFinal(), () -> story + ": has ended");
        assertEquals(
                1,
                submission.states().stream().filter(SubmissionState::isFinal).count(),
                () -> story + ": has one end");
        if (submission.isKilled()) {
            assertEquals(SubmissionState.KILLED, last, story);
        } else if (!submission.isSupervised()) {
            assertTrue(attempts.size() <= 1, () -> story + ": is not started again");
        } else if (submission.restartsMax().isEmpty()) {
            assertEquals(SubmissionState.FINISHED, last, story);
        } else {
            assertTrue(last == SubmissionState.FINISHED || last == SubmissionState.FAILED, story);
        }
        List<SubmissionState> states = submission.states();
        for (int i = 1; i < states.size(); i++) {
            SubmissionState from = states.get(i - 1);
            SubmissionState to = states.get(i);
            assertTrue(from == to || from.leadsTo(to), () -> story + ": from " + from + " to " + to);
        }
        if (submission.isSupervised()) {
            assertEquals(attempts.stream().sorted().distinct().toList(), attempts, () -> story + ": numbers grow");
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void startsADriverAgainOnAnotherWorkerUnderItsId(long seed) {
        SupervisionCluster cluster = begin(seed).withEndlessDrivers();
        Submission submission = running(cluster);
        SimulatedProcesses.Child first = cluster.running(submission.id()).orElseThrow();
        cluster.machineOf(first).part();
        cluster.simulation().runUntil(() -> !first.isAlive(), BOUND);
        cluster.simulation()
                .runUntil(
                        () -> submission.last().state() == SubmissionState.RUNNING
                                && cluster.running(submission.id()).isPresent(),
                        BOUND);

        assertTrue(submission.last().attempt() > 1, () -> "seed " + seed);
        assertTrue(
                submission.states().contains(SubmissionState.RELAUNCHING),
                () -> "seed " + seed + ": " + submission.states());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void letsAKilledDriverStayKilledWhereverItIs(long seed) {
        SupervisionCluster cluster = begin(seed).withEndlessDrivers();
        Submission submission = running(cluster);
        SimulatedProcesses.Child first = cluster.running(submission.id()).orElseThrow();
        if (seed % 2 == 0) {
            first.crash();
        } else {
            cluster.machineOf(first).crash();
        }
        cluster.simulation().runFor(Duration.ofMillis(cluster.upTo(1_500)));
        submission.kill();
        cluster.simulation().runUntil(() -> submission.last().state().isFinal(), BOUND);
        int started = cluster.attempts(submission.id()).size();
        cluster.simulation().runFor(Duration.ofMinutes(5));

        assertEquals(SubmissionState.KILLED, submission.last().state(), () -> "seed " + seed);
        assertEquals(started, cluster.attempts(submission.id()).size(), () -> "seed " + seed);
        assertTrue(cluster.running(submission.id()).isEmpty(), () -> "seed " + seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void failsWhenItHasRestartedTheDriverAsOftenAsAllowed(long seed) {
        SupervisionCluster cluster = begin(seed).withEndlessDrivers();
        Submission submission = cluster.submit(true, OptionalInt.of(2));
        for (int i = 0; i < 3; i++) {
            int expected = i + 1;
            cluster.simulation()
                    .runUntil(
                            () -> !submission.states().isEmpty()
                                    && submission.last().attempt() == expected
                                    && cluster.attempts(submission.id()).size() == expected,
                            BOUND);
            cluster.running(submission.id()).ifPresent(child -> child.exitWith(3));
        }
        cluster.simulation().runUntil(() -> submission.last().state().isFinal(), BOUND);

        SubmissionStatus end = submission.last();
        assertEquals(SubmissionState.FAILED, end.state(), () -> "seed " + seed);
        assertEquals(OptionalInt.of(3), end.exitStatus());
        assertEquals(
                "exit status 3; not restarted, as hearth.driver.supervise.maxRestarts allows 2 restarts",
                end.message());
    }

    private static Submission running(SupervisionCluster cluster) {
        Submission submission = cluster.submit(true, OptionalInt.empty());
        cluster.simulation()
                .runUntil(
                        () -> !submission.states().isEmpty()
                                && submission.last().state() == SubmissionState.RUNNING
                                && cluster.running(submission.id()).isPresent(),
                        BOUND);
        return submission;
    }

    private static SupervisionCluster begin(long seed) {
        SupervisionCluster cluster = new SupervisionCluster(seed);
        cluster.simulation().network().delayUpTo(Duration.ofMillis(1 + cluster.upTo(50)));
        return cluster;
    }
}
