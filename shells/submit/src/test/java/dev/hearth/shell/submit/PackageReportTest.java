package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Lines about packages, at a terminal and in a pipe. */
class PackageReportTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void replacesOneLineAtATerminalAndRemovesItAtTheEnd() {
        PackageReport report = new PackageReport(err, true, true);
        report.progressed("one-1.jar", 2048, 1, 3);
        report.progressed("a-file-whose-name-is-longer-than-the-line-may-be-1.0.jar", 4096, 2, 3);
        report.warned("left out");
        report.noted("3 jars");
        report.progressed("", 0, 3, 3);
        assertEquals(
                "packages: one-1.jar 2 KiB, 1 of 3 files\r\033[Kpackages: ...e-is-longer-than-the-line-may-be-1.0.jar"
                        + " 4 KiB, 2 of 3 files\r\033[Kwarning: left out\npackages: 3 jars\n",
                bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    void writesWarningsAloneIntoAPipe() {
        PackageReport report = new PackageReport(err, false, false);
        report.progressed("one-1.jar", 2048, 1, 3);
        report.noted("3 jars");
        report.warned("left\nout");
        assertEquals("warning: left?out\n", bytes.toString(StandardCharsets.UTF_8));
    }
}
