package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.simulation.SupervisionCluster.Submission;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills the master of a cluster again and again while drivers, workers and connections fail too. A submission that was
 * accepted is never lost and has one end, no driver has two processes, no id is given twice, and what the log says is what
 * the master knows.
 */
class MasterRestartsTest {
    static LongStream seeds() {
        return Simulation.seeds(40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void bringsEachAcceptedSubmissionToOneEnd(long seed) {
        SupervisionCluster cluster = new SupervisionCluster(seed, true);
        cluster.simulation().network().delayUpTo(Duration.ofMillis(1 + cluster.upTo(50)));
        for (int i = 0; i < 12; i++) {
            boolean supervise = cluster.upTo(3) > 0;
            int when = cluster.upTo(200_000);
            cluster.simulation()
                    .schedule(Duration.ofMillis(when), () -> cluster.submit(supervise, OptionalInt.empty()));
            if (i % 2 == 0) { // about when the master takes the submission, answers it, or starts the driver
                int soon = when + cluster.upTo(150);
                cluster.simulation().schedule(Duration.ofMillis(soon), cluster::crashMaster);
            }
        }
        cluster.storm();

        List<Submission> accepted =
                cluster.submissions().stream().filter(Submission::isAccepted).toList();
        assertEquals(
                accepted.size(),
                accepted.stream().map(Submission::id).distinct().count(),
                () -> "seed " + seed + ": ids are unique");
        for (Submission submission : accepted) {
            check(cluster, submission, "seed " + seed + ": " + submission.id() + ": " + submission.states());
        }
        assertTrue(cluster.epoch() > 1, "the master was killed");
        assertTrue(cluster.isRemembered(), () -> "seed " + seed + ": the log says what the master knows");
        assertTrue(cluster.isQuiet(), () -> "seed " + seed + ": all was given back");
    }

    private static void check(SupervisionCluster cluster, Submission submission, String story) {
        SubmissionId id = submission.id();
        assertTrue(submission.last().state().isFinal(), () -> story + ": has ended");
        assertEquals(
                1,
                submission.states().stream().filter(SubmissionState::isFinal).count(),
                () -> story + ": has one end");
        List<Integer> attempts = cluster.attempts(id);
        if (submission.isSupervised()) {
            assertEquals(SubmissionState.FINISHED, submission.last().state(), story);
            assertEquals(attempts.stream().sorted().distinct().toList(), attempts, () -> story + ": numbers grow");
        } else {
            assertTrue(attempts.size() <= 1, () -> story + ": is not started again: " + attempts);
        }
    }
}
