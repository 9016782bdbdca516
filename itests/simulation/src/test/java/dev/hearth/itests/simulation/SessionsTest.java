package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.simulation.SessionCluster.Program;
import dev.hearth.itests.simulation.SessionCluster.Submission;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills masters, connections, workers and drivers of a cluster. What runs outlives a master, and connections that flicker;
 * what is lost is lost once, and everything is given back in the end.
 */
class SessionsTest {
    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final Duration SETTLED = Duration.ofMinutes(3);
    private static final int STORM_MILLIS = 200_000;

    static LongStream seeds() {
        return Simulation.seeds(100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void restartsNothingBecauseAMasterDied(long seed) {
        SessionCluster cluster = begin(seed, true);
        cluster.begin(3);
        cluster.begin(4);
        cluster.submit(false);
        cluster.submit(false);
        cluster.submit(true);
        cluster.simulation().runUntil(() -> cluster.ledger().running().size() == 3 + 3 + 3 + 4, BOUND);
        List<String> before = cluster.ledger().running();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 5; i++) {
                after(cluster, i * 8_000 + cluster.upTo(4_000), cluster::flicker);
            }
            after(cluster, cluster.upTo(20_000), () -> cluster.crashMaster(millis(cluster.upTo(15_000))));
            cluster.simulation().runFor(Duration.ofSeconds(80));
        }
        for (Program program : cluster.programs()) {
            assertNull(program.failure(), () -> "seed " + seed);
            assertEquals(List.of(), program.lost(), () -> "seed " + seed);
        }
        assertEquals(before, cluster.ledger().running(), () -> "seed " + seed + ": nothing has ended");
        assertEquals(before, cluster.ledger().history(), () -> "seed " + seed + ": nothing was started");
        assertEquals(4, cluster.masters().epoch(), "the master was killed three times");
        Program late = cluster.begin(2);
        Program less = cluster.programs().get(1);
        less.releaseOne(3);
        cluster.simulation()
                .runUntil(
                        () -> late.executors() == 2
                                && less.executors() == 3
                                && cluster.ledger().running().size() == 14,
                        BOUND);
        requireAgreement(cluster, seed);
        end(cluster, seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void losesNothingAndStartsNothingTwiceInAStorm(long seed) {
        SessionCluster cluster = begin(seed, true);
        for (int i = 0; i < 6; i++) {
            after(cluster, cluster.upTo(STORM_MILLIS), () -> cluster.submit(cluster.upTo(2) == 0));
            after(cluster, cluster.upTo(STORM_MILLIS), () -> cluster.begin(1 + cluster.upTo(4)));
            after(cluster, cluster.upTo(STORM_MILLIS), () -> anyMachine(cluster).crashAChild());
            after(cluster, cluster.upTo(STORM_MILLIS), () -> cluster.crashMaster(millis(cluster.upTo(20_000))));
            after(cluster, cluster.upTo(STORM_MILLIS), cluster::flicker);
            after(cluster, cluster.upTo(STORM_MILLIS), () -> any(cluster).releaseOne(cluster.upTo(3)));
        }
        after(cluster, cluster.upTo(STORM_MILLIS), () -> any(cluster).crash());
        for (int i = 0; i < 3; i++) {
            after(cluster, cluster.upTo(STORM_MILLIS), () -> anyMachine(cluster).crash(millis(cluster.upTo(20_000))));
        }
        settle(cluster, seed);
    }

    /** Lets the storm pass, and all end. */
    private static void settle(SessionCluster cluster, long seed) {
        cluster.simulation().runFor(millis(STORM_MILLIS));
        cluster.simulation().network().healAll();
        cluster.simulation().runFor(SETTLED);
        requireAgreement(cluster, seed);
        end(cluster, seed);
    }

    /** Leaders are killed and suspended, while another master stands by. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void obeysNoMasterThatWasFollowed(long seed) {
        SessionCluster cluster = new SessionCluster(seed, SharedMasters::new);
        cluster.simulation().network().delayUpTo(millis(cluster.upTo(50)));
        for (int i = 0; i < 4; i++) {
            after(cluster, cluster.upTo(STORM_MILLIS), () -> cluster.submit(cluster.upTo(2) == 0));
            after(cluster, cluster.upTo(STORM_MILLIS), () -> cluster.begin(1 + cluster.upTo(4)));
            after(cluster, cluster.upTo(STORM_MILLIS), () -> any(cluster).releaseOne(cluster.upTo(3)));
            after(cluster, cluster.upTo(STORM_MILLIS), () -> cluster.pauseMaster(millis(cluster.upTo(30_000))));
            after(cluster, cluster.upTo(STORM_MILLIS), cluster::flicker);
        }
        for (int i = 0; i < 2; i++) {
            after(cluster, cluster.upTo(STORM_MILLIS), () -> cluster.crashMaster(millis(cluster.upTo(20_000))));
            after(cluster, cluster.upTo(STORM_MILLIS), () -> anyMachine(cluster).crashAChild());
            after(cluster, cluster.upTo(STORM_MILLIS), () -> anyMachine(cluster).crash(millis(cluster.upTo(20_000))));
        }
        settle(cluster, seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsExecutorsOfApplicationsThatComeBackToAMasterWithoutALog(long seed) {
        SessionCluster cluster = begin(seed, false);
        Program program = cluster.begin(3);
        cluster.submit(false);
        cluster.simulation().runUntil(() -> cluster.ledger().running().size() == 3 + 1 + 1, BOUND);
        List<String> executors = cluster.ledger().running().stream()
                .filter(name -> name.startsWith("app-") && name.endsWith("0000/0"))
                .toList();
        cluster.crashMaster(millis(cluster.upTo(10_000)));
        cluster.simulation().runFor(SETTLED);

        assertEquals(3, program.executors(), () -> "seed " + seed + ": " + program.lost());
        assertEquals(List.of(), program.lost(), () -> "seed " + seed);
        assertTrue(
                cluster.ledger().running().containsAll(executors),
                () -> "seed " + seed + ": " + cluster.ledger().running());
        assertEquals(
                3,
                cluster.ledger().running().size(),
                () -> "the driver that the new master does not know is stopped: "
                        + cluster.ledger().running());
        program.finish();
        cluster.simulation().runFor(SETTLED);
        requireQuiet(cluster, seed);
    }

    private static SessionCluster.Machine anyMachine(SessionCluster cluster) {
        return cluster.machines().get(cluster.upTo(SessionCluster.MACHINES));
    }

    private static Program any(SessionCluster cluster) {
        return cluster.programs().isEmpty()
                ? cluster.begin(1)
                : cluster.programs().get(cluster.upTo(cluster.programs().size()));
    }

    /** Ends all drivers and applications, and expects that nothing is left. */
    private static void end(SessionCluster cluster, long seed) {
        cluster.submissions().forEach(submission -> submission.exit(0));
        cluster.programs().stream().filter(Program::isAlive).forEach(Program::finish);
        cluster.simulation().runFor(SETTLED);
        cluster.submissions().forEach(submission -> submission.exit(0)); // one that has waited
        cluster.simulation().runFor(SETTLED);
        List<Submission> accepted = cluster.submissions().stream()
                .filter(submission -> submission.id().isPresent())
                .toList();
        assertEquals(
                accepted.size(),
                accepted.stream().map(Submission::id).distinct().count(),
                () -> "seed " + seed + ": ids are unique");
        for (Submission submission : accepted) {
            SubmissionId id = submission.id().orElseThrow();
            String story = "seed " + seed + ": " + id + ": " + submission.states();
            long starts = cluster.ledger().history().stream()
                    .filter(id.value()::equals)
                    .count();
            if (submission.isSupervised()) {
                assertTrue(submission.isGivenUp() || submission.states().contains(SubmissionState.FINISHED), story);
            } else {
                assertTrue(starts <= 1, () -> story + ": is not started again");
            }
        }
        requireFacts(cluster, accepted, seed);
        requireQuiet(cluster, seed);
    }

    /** The processes that the master takes for running are those that run, on the same workers. */
    private static void requireAgreement(SessionCluster cluster, long seed) {
        assertEquals(cluster.ledger().placed(), cluster.listed(), () -> "seed " + seed + ": what the master knows");
    }

    /** The log has every acknowledged submission and its only end, the one in the answer to its submitter, and leads to what the master knows. */
    private static void requireFacts(SessionCluster cluster, List<Submission> accepted, long seed) {
        SimulatedFactLog log = cluster.masters().log().orElseThrow();
        int compared = log.compared();
        log.wantSnapshot();
        cluster.simulation().runFor(SETTLED);
        assertTrue(log.compared() > compared, () -> "seed " + seed + ": the master has made a snapshot");
        assertTrue(log.replays(), () -> "seed " + seed + ": a snapshot leads to the same as all facts");
        List<Fact> facts = log.facts();
        List<SubmissionId> given =
                of(Fact.DriverTaken.class, facts).map(Fact.DriverTaken::id).toList();
        assertEquals(given.stream().distinct().toList(), given, () -> "seed " + seed + ": each id is given once");
        for (Submission submission : accepted) {
            SubmissionId id = submission.id().orElseThrow();
            assertTrue(given.contains(id), () -> "seed " + seed + ": " + id + " was acknowledged");
            List<SubmissionState> ends = of(Fact.DriverClosed.class, facts)
                    .filter(fact -> fact.id().equals(id))
                    .map(fact -> fact.how().shown())
                    .toList();
            assertEquals(1, ends.size(), () -> "seed " + seed + ": " + id + ": has one end in the log, not " + ends);
            if (!submission.isGivenUp()) {
                assertEquals(
                        ends,
                        submission.states().stream()
                                .filter(SubmissionState::isFinal)
                                .toList(),
                        () -> "seed " + seed + ": " + id + ": its submitter hears of its end");
            }
        }
    }

    private static <F extends Fact> Stream<F> of(Class<F> kind, List<Fact> facts) {
        return facts.stream().filter(kind::isInstance).map(kind::cast);
    }

    private static void requireQuiet(SessionCluster cluster, long seed) {
        assertEquals(List.of(), cluster.ledger().running(), () -> "seed " + seed + ": nothing runs");
        assertEquals(0, cluster.applications(), () -> "seed " + seed);
        assertEquals(
                SessionCluster.MACHINES * SessionCluster.CORES,
                cluster.coresFree(),
                () -> "seed " + seed + ": all was given back");
    }

    private static void after(SessionCluster cluster, int millis, Runnable action) {
        cluster.simulation().schedule(millis(millis), action);
    }

    private static Duration millis(int millis) {
        return Duration.ofMillis(millis + 1L);
    }

    private static SessionCluster begin(long seed, boolean recovers) {
        SessionCluster cluster = new SessionCluster(seed, recovers);
        cluster.simulation().network().delayUpTo(Duration.ofMillis(1 + cluster.upTo(50)));
        return cluster;
    }
}
