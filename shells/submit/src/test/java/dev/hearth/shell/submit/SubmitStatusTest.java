package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Output of {@code --status} and {@code --kill}. */
@Timeout(30)
class SubmitStatusTest extends SubmitRoleFixture {
    @Test
    void tellsAStatusInOneLine() throws Exception {
        cluster.end(SubmissionState.RUNNING, OptionalInt.empty(), "since noon\nand more", "", "");
        assertEquals(0, run("--status", "driver-1", "--master", "hearth://h:7077"));
        assertEquals("driver-1: RUNNING on worker w-1 at host:7078; since noon\n", text(out));
        out.reset();
        cluster.end(SubmissionState.FAILED, OptionalInt.of(3), "exit status 3", "", "");
        assertEquals(0, run("--status", "driver-1", "--master", "hearth://h:7077"));
        assertEquals("driver-1: FAILED on worker w-1 at host:7078, exit status 3\n", text(out));
    }

    @Test
    void tellsAKillInOneLine() throws Exception {
        cluster.end(SubmissionState.RUNNING, OptionalInt.empty(), "", "", "");
        assertEquals(0, run("--kill", "driver-1", "--master", "hearth://h:7077"));
        assertEquals("driver-1: was RUNNING; kill requested\n", text(out));
        out.reset();
        cluster.end(SubmissionState.FINISHED, OptionalInt.empty(), "", "", "");
        assertEquals(0, run("--kill", "driver-1", "--master", "hearth://h:7077"));
        assertEquals("driver-1: was FINISHED; nothing to kill\n", text(out));
    }

    @Test
    void asksAboutAllThatMatchAPatternWithTheSettingsOfTheCommandLine() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        cluster.end(SubmissionState.FAILED, OptionalInt.of(1), "", "", "");
        assertEquals(0, run("--status", "driver-*", "--grace", "5", "--master", "hearth://h:7077"));
        assertEquals("status driver-* hearth://h:7077 5", cluster.asked());
        assertEquals("""
                driver-1: RUNNING on worker w-1 at host:7078
                driver-1: FAILED on worker w-1 at host:7078, exit status 1
                """, text(out));
        out.reset();
        assertEquals(0, run("--kill=driver-?", "-c", "hearth.driver.cores=1", "--master", "hearth://h:7077"));
        assertEquals("kill driver-? hearth://h:7077 1", cluster.asked());
        assertEquals("driver-1: was RUNNING; kill requested\ndriver-1: was FAILED; nothing to kill\n", text(out));
        HearthException none =
                assertThrows(HearthException.class, () -> run("--status", "none-*", "--master", "hearth://h:7077"));
        assertEquals(ErrorCode.SUBMISSION_UNKNOWN.name(), none.code());
    }

    @Test
    void showsTimesAndLinksOfASingleSubmission() throws Exception {
        cluster.status(
                SubmissionState.FINISHED,
                new SubmissionTimes(OptionalLong.of(0), OptionalLong.of(1_000), OptionalLong.of(91_050)),
                Map.of("stdout", "http://host/out"),
                2);
        assertEquals(0, run("--status", "driver-1", "--master", "hearth://h:7077"));
        assertEquals(
                List.of(
                        "driver-1: FINISHED on worker w-1 at host:7078, attempt 2; said \"so\"",
                        "  submitted  1970-01-01T00:00:00.000Z",
                        "  started    1970-01-01T00:00:01.000Z",
                        "  ended      1970-01-01T00:01:31.050Z",
                        "  ran        1 min 30 s",
                        "  stdout     http://host/out"),
                new SubmissionReport(ZoneOffset.UTC).linesOf(cluster.lastStatus(), Instant.EPOCH));
        assertEquals(6, text(out).lines().count());
        out.reset();
        assertEquals(0, run("--status", "driver-*", "--master", "hearth://h:7077"));
        assertTrue(text(out).endsWith(", ran 1 min 30 s; stdout http://host/out\n"), () -> text(out));
        assertEquals(1, text(out).lines().count());
    }

    @Test
    void showsHowLongADriverHasRun() {
        cluster.status(
                SubmissionState.RUNNING,
                new SubmissionTimes(OptionalLong.empty(), OptionalLong.of(1_000), OptionalLong.empty()),
                Map.of(),
                1);
        List<String> lines = new SubmissionReport(ZoneOffset.ofHours(2))
                .linesOf(cluster.lastStatus(), Instant.ofEpochMilli(3_601_000));
        assertEquals(
                List.of("  started    1970-01-01T02:00:01.000+02:00", "  runs for   1 h 0 min"),
                lines.subList(1, lines.size()));
        assertEquals("1.9 s", SubmissionReport.duration(Duration.ofMillis(1_999)));
    }

    @Test
    void printsJsonWithNumbersAndUnits() throws Exception {
        cluster.status(
                SubmissionState.FINISHED,
                new SubmissionTimes(OptionalLong.of(5), OptionalLong.of(1_000), OptionalLong.of(3_000)),
                Map.of("st\u00fcck", "http://host/out"),
                1);
        assertEquals(0, run("--status", "driver-1", "--json", "--master", "hearth://h:7077"));
        String object = "{\"submission\":\"driver-1\",\"state\":\"FINISHED\",\"final\":true,"
                + "\"placement\":\"worker w-1 at host:7078\",\"exitStatus\":null,\"attempt\":1,"
                + "\"message\":\"said \\\"so\\\"\",\"submittedMillis\":5,\"startedMillis\":1000,"
                + "\"endedMillis\":3000,\"ranMillis\":2000,\"links\":{\"st\\u00fcck\":\"http://host/out\"}}";
        assertEquals(object + "\n", text(out));
        out.reset();
        assertEquals(0, run("--kill", "driver-*", "--json", "--master", "hearth://h:7077"));
        assertEquals("[" + object + "]\n", text(out));
        HearthException misplaced = assertThrows(HearthException.class, () -> submit("--json"));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), misplaced.code());
    }
}
