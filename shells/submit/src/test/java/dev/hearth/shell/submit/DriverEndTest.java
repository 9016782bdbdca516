package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Reports about drivers that have ended, above all what is printed of a failure. */
class DriverEndTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final DriverEnd end = new DriverEnd(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            SubmitStyle.HEARTH);

    private static SubmissionStatus status(SubmissionState state, String message, OptionalInt exit, String errors) {
        return new SubmissionStatus(
                new SubmissionId("driver-1"), state, "worker w at h:1", message, exit, "printed\n", errors);
    }

    @Test
    void printsTheLinesOfAnExceptionOfTheClusterBelowEachOther() {
        String message = "Exception from the cluster:\njava.nio.file.NoSuchFileException: /a.jar\n\tat a.B.c(B.java:1)";
        assertEquals(
                1,
                end.report(status(SubmissionState.ERROR, message, OptionalInt.empty(), ""))
                        .status());
        assertEquals("""
                error: submission driver-1: ERROR on worker w at h:1; java.nio.file.NoSuchFileException: /a.jar
                    at a.B.c(B.java:1)
                """, err.toString(StandardCharsets.UTF_8));
        assertEquals("printed\n", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void endsAsTheDriverDidAndPrintsItsError() {
        String errors = "noise\nerror: no such table\n  at user.Main\n";
        assertEquals(
                7,
                end.report(status(SubmissionState.FAILED, "exit status 7", OptionalInt.of(7), errors))
                        .status());
        assertEquals(
                "error: submission driver-1: FAILED, exit status 7 on worker w at h:1; no such table\n  at user.Main\n",
                err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void namesTheExceptionAndNotAFrameOfItsTrace() {
        String errors = "noise\njava.io.IOException: no such table\n\tat user.Main.main(Main.java:3)\n\t... 2 more\n";
        assertEquals(
                1,
                end.report(status(SubmissionState.FAILED, "exit status 1", OptionalInt.of(1), errors))
                        .status());
        assertEquals(
                "error: submission driver-1: FAILED, exit status 1 on worker w at h:1;"
                        + " java.io.IOException: no such table\n",
                err.toString(StandardCharsets.UTF_8));
    }
}
