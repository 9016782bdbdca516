package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import org.junit.jupiter.api.Test;

/** Exit statuses and lines of failures. */
class FailureReportTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void aPathThatTheLocaleCannotHoldIsAnErrorOfUse() {
        assertEquals(2, write(new InvalidPathException("w\u00F6rter.jar", "Malformed input")));
        String line = bytes.toString(StandardCharsets.UTF_8);
        assertTrue(line.startsWith("error: path: 'w\u00F6rter.jar': Malformed input (expected: a path in"), line);
        assertEquals(1, line.lines().count(), line);
    }

    @Test
    void aFailureWithACodeHasItsExitStatus() {
        assertEquals(3, write(ErrorCode.PATH_MISSING.failure("a: missing (expected: a file)")));
        assertEquals("error: a: missing (expected: a file)\n", bytes.toString(StandardCharsets.UTF_8));
    }

    private int write(Throwable failure) {
        return FailureReport.write(failure, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }
}
