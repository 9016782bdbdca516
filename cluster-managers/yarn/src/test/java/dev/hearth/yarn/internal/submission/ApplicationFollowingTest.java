package dev.hearth.yarn.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.ClusterReport.Outcome;
import dev.hearth.yarn.internal.cluster.ClusterReport.State;
import dev.hearth.yarn.internal.settings.ReportSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ApplicationFollowingTest {
    private static final String ID = "application_1700000000000_0001";
    private static final long SECOND = 1_000_000_000L;
    private static final ReportSettings SETTINGS = new ReportSettings(true, Duration.ofSeconds(1), 3);

    private final ApplicationFollowing following = new ApplicationFollowing(ID, SETTINGS);

    private static ClusterReport report(State state, Outcome outcome, String diagnostics) {
        return new ClusterReport(
                ID,
                state,
                outcome,
                "",
                diagnostics,
                "node",
                41000,
                "default",
                1234,
                0,
                0,
                "http://rm/proxy/" + ID,
                "alice",
                "pi",
                1);
    }

    private FollowingStep reported(State state, Outcome outcome, String diagnostics) {
        return following.reported(report(state, outcome, diagnostics), Map.of(), 0);
    }

    @Test
    void printsTheReportOfSparkByteForByte() {
        assertEquals(
                List.of(
                        "Application report for " + ID + " (state: ACCEPTED)",
                        "\t client token: N/A",
                        "\t diagnostics: N/A",
                        "\t ApplicationMaster host: node",
                        "\t ApplicationMaster RPC port: 41000",
                        "\t queue: default",
                        "\t start time: 1234",
                        "\t final status: UNDEFINED",
                        "\t tracking URL: http://rm/proxy/" + ID,
                        "\t user: alice"),
                reported(State.ACCEPTED, Outcome.UNDEFINED, "").lines());
    }

    @Test
    void addsTheLogsOfTheDriverToTheReport() {
        FollowingStep step = following.reported(
                report(State.RUNNING, Outcome.UNDEFINED, ""), Map.of("stdout", "http://nm/stdout"), 0);
        assertEquals("\t Driver Logs (stdout): http://nm/stdout", step.lines().get(10));
        assertEquals("http://nm/stdout", step.status().orElseThrow().links().get("stdout"));
    }

    @Test
    void printsAStateAgainAfterSomeReportsAndTheBlockOnlyWhenItChanges() {
        assertEquals(10, reported(State.RUNNING, Outcome.UNDEFINED, "").lines().size());
        assertEquals(List.of(), reported(State.RUNNING, Outcome.UNDEFINED, "").lines());
        assertEquals(List.of(), reported(State.RUNNING, Outcome.UNDEFINED, "").lines());
        assertEquals(
                List.of("Application report for " + ID + " (state: RUNNING)"),
                reported(State.RUNNING, Outcome.UNDEFINED, "").lines());
    }

    @Test
    void asksFasterAtFirst() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            pauses.add(reported(State.ACCEPTED, Outcome.UNDEFINED, "")
                    .next()
                    .orElseThrow()
                    .toMillis());
        }
        assertEquals(List.of(100L, 200L, 400L, 800L, 1000L, 1000L), pauses);
    }

    @Test
    void tellsWhyAnApplicationIsNotStartedForTenSeconds() {
        ApplicationFollowing following =
                new ApplicationFollowing(ID, new ReportSettings(true, Duration.ofSeconds(1), 30));
        String full = "[Fri Nov 20 06:00:00 +0000 2026] Application is Activated, waiting for resources: queue full";
        assertEquals(
                10,
                following
                        .reported(report(State.ACCEPTED, Outcome.UNDEFINED, full), Map.of(), 0)
                        .lines()
                        .size());
        assertEquals(
                List.of(),
                following
                        .reported(report(State.ACCEPTED, Outcome.UNDEFINED, full), Map.of(), SECOND)
                        .lines());
        List<String> lines = following
                .reported(report(State.ACCEPTED, Outcome.UNDEFINED, full), Map.of(), 10 * SECOND)
                .lines();
        assertTrue(
                lines.get(lines.size() - 1).startsWith("Application " + ID + " waits in queue default: "),
                lines::toString);
        assertTrue(lines.get(lines.size() - 1).endsWith("queue full"), lines::toString);
        String later = full.replace("06:00:00", "06:00:01");
        assertEquals(
                List.of(),
                following
                        .reported(report(State.ACCEPTED, Outcome.UNDEFINED, later), Map.of(), 11 * SECOND)
                        .lines());
        String other = later.replace("queue full", "AM limit reached");
        assertTrue(
                following
                        .reported(report(State.ACCEPTED, Outcome.UNDEFINED, other), Map.of(), 12 * SECOND)
                        .lines()
                        .stream()
                        .anyMatch(line -> line.endsWith("AM limit reached")));
    }

    @Test
    void endsWithTheExitStatusTheReasonAndTheErrorsOfTheDriver() {
        String diagnostics =
                "exit status 3\nprogram failed: no input\n\nerror: program failed: no input\n  at a.B.main";
        FollowingStep step = reported(State.FINISHED, Outcome.FAILED, diagnostics);
        SubmissionStatus status = step.status().orElseThrow();
        assertEquals(SubmissionState.FAILED, status.state());
        assertEquals(OptionalInt.of(3), status.exitStatus());
        assertEquals("program failed: no input", status.message());
        assertEquals("error: program failed: no input\n  at a.B.main", status.errors());
        assertTrue(step.lines().contains("  at a.B.main"), step::toString);
        assertTrue(step.lines().contains("Application " + ID + " finished with failed status"), step::toString);
        assertEquals(Optional.empty(), step.next());
    }

    @Test
    void takesTheExitStatusOfAKilledDriverFromYarn() {
        String diagnostics =
                "Application " + ID + " failed 2 times due to AM Container for appattempt_1700000000000_0001_000002"
                        + " exited with  exitCode: 137\nFailing this attempt.Diagnostics: Container killed on request. Exit code is 137\n"
                        + "Last 4096 bytes of stderr :\nwarning: low memory\n";
        SubmissionStatus status =
                reported(State.FAILED, Outcome.FAILED, diagnostics).status().orElseThrow();
        assertEquals(OptionalInt.of(137), status.exitStatus());
        assertEquals("warning: low memory", status.errors());
    }

    @Test
    void tellsEachEndInTheWordsOfSpark() {
        assertEnd("Application " + ID + " is killed", State.KILLED, Outcome.KILLED, SubmissionState.KILLED);
        assertEnd(
                "The final status of application " + ID + " is undefined",
                State.FINISHED,
                Outcome.UNDEFINED,
                SubmissionState.ERROR);
        assertEnd(
                "Application " + ID + " finished with status: SUCCEEDED",
                State.FINISHED,
                Outcome.SUCCEEDED,
                SubmissionState.FINISHED);
    }

    private static void assertEnd(String line, State state, Outcome outcome, SubmissionState expected) {
        ApplicationFollowing ending = new ApplicationFollowing(ID, SETTINGS);
        FollowingStep step = ending.reported(report(state, outcome, ""), Map.of(), 0);
        assertEquals(line, step.lines().get(step.lines().size() - 1));
        assertEquals(expected, step.status().orElseThrow().state());
        assertFalse(step.next().isPresent());
    }

    @Test
    void takesAnUnknownApplicationForKilled() {
        FollowingStep step = following.unknown();
        assertEquals(List.of("Application " + ID + " not found."), step.lines());
        assertEquals(SubmissionState.KILLED, step.status().orElseThrow().state());
    }

    @Test
    void doesNotKnowTheOutcomeIfTheClusterDoesNotAnswer() {
        FollowingStep step = following.failed("Connection refused");
        assertEquals(List.of("Failed to contact YARN for application " + ID + "."), step.lines());
        assertTrue(step.lost().orElseThrow().contains("the outcome of " + ID + " is not known"));
        assertEquals(Optional.empty(), step.status());
    }

    @Test
    void tellsASecondAttempt() {
        reported(State.RUNNING, Outcome.UNDEFINED, "");
        ClusterReport second = new ClusterReport(
                ID, State.ACCEPTED, Outcome.UNDEFINED, "", "", "", -1, "default", 1, 0, 0, "", "alice", "pi", 2);
        SubmissionStatus status =
                following.reported(second, Map.of(), 0).status().orElseThrow();
        assertEquals(SubmissionState.RELAUNCHING, status.state());
        assertEquals(2, status.attempt());
    }

    @Test
    void keepsWordsFromLinesThatLookLikeTheId() {
        assertEquals(
                "application _name of " + ID + ", application _1_2 and application 7x",
                LineGuard.guarded("application_name of " + ID + ", application_1_2 and application7x", ID));
    }
}
