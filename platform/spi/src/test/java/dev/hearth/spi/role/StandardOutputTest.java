package dev.hearth.spi.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The first failure of standard output, and what is written after it. */
class StandardOutputTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private String problem = "";
    private boolean pipe;

    private final StandardOutput out = StandardOutput.to(
            new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    if (!problem.isEmpty()) {
                        throw new IOException(problem);
                    }
                    written.write(value);
                }
            },
            StandardCharsets.UTF_8,
            () -> pipe);

    @Test
    void writesWithoutLoss() {
        out.println("Köln");
        out.print("at once");
        assertEquals("Köln\nat once", written.toString(StandardCharsets.UTF_8));
        assertEquals(Optional.empty(), StandardOutput.loss(out));
        assertFalse(StandardOutput.isClosedByReader(out));
    }

    @Test
    void keepsTheFirstFailureAndWritesNothingAfterIt() {
        out.print("first");
        problem = "No space left on device";
        out.println("lost");
        problem = "Input/output error";
        out.println("lost too");
        problem = "";
        out.println("there would be room now");
        assertEquals("first", written.toString(StandardCharsets.UTF_8));
        assertEquals(
                "standard output: cannot be written: No space left on device (expected: room for all results);"
                        + " what was printed is incomplete",
                StandardOutput.loss(out).orElseThrow().getMessage());
    }

    @Test
    void noticesBytesThatTheFlushCannotWrite() {
        problem = "No space left on device";
        out.write('x');
        assertTrue(StandardOutput.loss(out).isPresent());
    }

    @Test
    void losesNothingToAReaderThatNeedsNoMore() {
        problem = "Broken pipe";
        out.println("x");
        assertTrue(StandardOutput.isClosedByReader(out));
        assertEquals(Optional.empty(), StandardOutput.loss(out));
    }

    @Test
    void knowsAClosedPipeByItsKindWhereTheMessageIsInAnotherLanguage() {
        problem = "Datenübergabe unterbrochen (broken pipe)";
        out.println("x");
        assertTrue(StandardOutput.loss(out).isPresent());
        pipe = true;
        assertEquals(Optional.empty(), StandardOutput.loss(out));
        assertTrue(StandardOutput.isClosedByReader(out));
    }

    @Test
    void knowsNothingOfOtherStreams() {
        PrintStream other = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        assertEquals(Optional.empty(), StandardOutput.loss(other));
        assertFalse(StandardOutput.isClosedByReader(other));
    }
}
