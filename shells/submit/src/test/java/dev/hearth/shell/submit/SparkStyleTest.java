package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionRules;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ErrorCode;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines and JSON of bin/spark-submit, byte for byte as programs that call Spark parse them. */
@Timeout(30)
class SparkStyleTest extends SubmitRoleFixture {
    private static final String WAITS = "hearth.standalone.submit.waitAppCompletion";

    @Test
    void returnsOnceTheDriverRuns() throws Exception {
        cluster.declare(SubmissionRules.NONE.waiting(WAITS));
        cluster.then(SubmissionState.SUBMITTED);
        cluster.then(SubmissionState.RUNNING);
        assertEquals(0, submit(ofSpark));
        assertEquals("""
                Driver successfully submitted as driver-1
                ... waiting before polling master for driver state
                ... polling master for driver state
                State of driver-1 is RUNNING
                Driver running on host:7078 (w-1)
                spark-submit not configured to wait for completion,  exiting spark-submit JVM.
                """, text(err));
        assertEquals("", text(out));
    }

    @Test
    void waitsWhenTheSettingSaysSoAndEndsAsTheDriverDid() throws Exception {
        cluster.declare(SubmissionRules.NONE.waiting(WAITS));
        cluster.then(SubmissionState.RUNNING);
        cluster.end(SubmissionState.FAILED, OptionalInt.of(3), "exit status 3", "half a result", "error: no\n");
        assertEquals(3, submit(ofSpark, "--conf", "spark.standalone.submit.waitAppCompletion=true"));
        assertEquals("""
                Driver successfully submitted as driver-1
                State of driver-1 is RUNNING
                Driver running on host:7078 (w-1)
                State of driver-1 is FAILED
                State of driver driver-1 is FAILED, exiting spark-submit JVM.
                error: submission driver-1: FAILED, exit status 3 on worker w-1 at host:7078; no
                """, text(err));
        assertEquals("", text(out)); // the output stays where the driver wrote it
    }

    @Test
    void tellsADriverThatEndedBeforeItWasAskedFor() throws Exception {
        cluster.declare(SubmissionRules.NONE.waiting(WAITS));
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "", "");
        assertEquals(0, submit(ofSpark));
        assertTrue(text(err).endsWith("""
                State of driver-1 is FINISHED
                State of driver driver-1 is FINISHED, exiting spark-submit JVM.
                """), () -> text(err));
    }

    @Test
    void tellsADriverThatStillWaits() {
        SubmissionProgress progress = new SubmissionProgress(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                SubmitStyle.SPARK,
                false,
                false);
        cluster.end(SubmissionState.SUBMITTED, OptionalInt.empty(), "waits for 2 cores", "", "");
        progress.changed(cluster.lastStatus());
        progress.tell(cluster.lastStatus());
        assertEquals("""
                Driver successfully submitted as driver-1
                Driver driver-1 waits for 2 cores
                State of driver-1 is SUBMITTED
                """, text(err));
    }

    @Test
    void printsAStatusAsTheJsonThatAirflowParses() throws Exception {
        cluster.end(SubmissionState.RUNNING, OptionalInt.empty(), "two\nlines", "", "");
        assertEquals(0, run(ofSpark, "--status", "driver-1", "--master", "spark://h:7077"));
        assertEquals("""
                {
                  "action" : "SubmissionStatusResponse",
                  "driverState" : "RUNNING",
                  "message" : "two\\nlines",
                  "serverSparkVersion" : "VERSION",
                  "submissionId" : "driver-1",
                  "success" : true,
                  "workerHostPort" : "host:7078",
                  "workerId" : "w-1"
                }
                """, versionless());
        assertEquals("Submitting a request for the status of submission driver-1 in spark://h:7077.\n", text(err));
        String state = text(out)
                .lines()
                .filter(line -> line.contains("driverState"))
                .map(line -> line.substring(line.indexOf(" : ") + 3)
                        .replace(",", "")
                        .replace("\"", "")
                        .strip())
                .findFirst()
                .orElse("");
        assertEquals("RUNNING", state);
    }

    @Test
    void printsAKillAsJson() throws Exception {
        cluster.end(SubmissionState.RUNNING, OptionalInt.empty(), "", "", "");
        assertEquals(0, run(ofSpark, "--kill", "driver-1", "--master", "spark://h:7077"));
        assertEquals("""
                {
                  "action" : "KillSubmissionResponse",
                  "message" : "Kill request for driver-1 submitted",
                  "serverSparkVersion" : "VERSION",
                  "submissionId" : "driver-1",
                  "success" : true
                }
                """, versionless());
        assertEquals("""
                Submitting a request to kill submission driver-1 in spark://h:7077.
                driver-1 is killed successfully.
                """, text(err));
        out.reset();
        err.reset();
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "", "");
        assertEquals(0, run(ofSpark, "--kill", "driver-1", "--master", "spark://h:7077"));
        assertTrue(text(out).contains("\"success\" : false"), () -> text(out));
        assertTrue(
                text(err).endsWith("Error: Driver driver-1 has already finished or does not exist\n"), () -> text(err));
    }

    @Test
    void saysInJsonThatASubmissionIsUnknown() {
        cluster.refuse(ErrorCode.SUBMISSION_UNKNOWN.failure("submission driver-9: unknown"));
        for (String action : List.of("--status", "--kill")) {
            out.reset();
            HearthException unknown = assertThrows(
                    HearthException.class, () -> run(ofSpark, action, "driver-9", "--master", "spark://h:7077"));
            assertEquals(ErrorCode.SUBMISSION_UNKNOWN.name(), unknown.code());
            assertTrue(text(out).contains("\"success\" : false"), () -> text(out));
            assertTrue(text(out).contains("\"submissionId\" : \"driver-9\""), () -> text(out));
        }
    }

    @Test
    void printsOurJsonWhenAskedForIt() throws Exception {
        cluster.end(SubmissionState.RUNNING, OptionalInt.empty(), "", "", "");
        assertEquals(0, run(ofSpark, "--status", "driver-1", "--json", "--master", "spark://h:7077"));
        assertTrue(text(out).startsWith("{\"submission\":\"driver-1\""), () -> text(out));
    }

    @Test
    void datesASubmissionOnce() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        assertEquals(0, submit("--no-wait", "-c", "spark.app.submitTime=1234567"));
        assertEquals(
                "1234567",
                cluster.plan().settings().find("hearth.app.submitTime").orElse(""));
        assertEquals(0, submit("--no-wait", "--request-id", "night-run-7"));
        String dated = cluster.plan().settings().find("hearth.app.submitTime").orElse("");
        assertTrue(dated.matches("\\d{13}"), dated);
        assertEquals("night-run-7", cluster.plan().requestId());
    }

    @Test
    void printsTheUsageAsAnErrorForLaunchers() throws Exception {
        assertEquals(1, run(ofSpark, "--usage-error"));
        assertTrue(text(err).startsWith("Usage: submit [flags] <application jar>"), () -> text(err));
        assertEquals("", text(out));
    }

    private String versionless() {
        return text(out).replaceFirst("(?<=\"serverSparkVersion\" : \")[^\"]+", "VERSION");
    }
}
