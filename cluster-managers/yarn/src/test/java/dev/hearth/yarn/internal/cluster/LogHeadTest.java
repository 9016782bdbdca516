package dev.hearth.yarn.internal.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lines that YARN writes around the contents of a log. */
class LogHeadTest {
    private static final String HEAD = """
            Container: container_1_0001_01_000002 on node7_8041
            LogAggregationType: LOCAL
            ===================================================
            LogType:stdout
            LogLastModifiedTime:Fri Nov 20 09:00:00 +0000 2026
            LogLength:5
            LogContents:
            """;

    private static InputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Test
    void readsTheContentsBetweenHeadAndFoot() throws IOException {
        InputStream in = in(HEAD + "a\nb\nc\nEnd of LogType:stdout.This log file belongs to a running container"
                + " (container_1_0001_01_000002) and so may not be complete.\n****");
        assertEquals(new LogHead("stdout", 5), LogHead.read(in));
        assertEquals("a\nb\nc", new String(in.readNBytes(5), UTF_8));
        assertFalse(LogHead.hasEnded(in));
        assertTrue(LogHead.hasEnded(in("\nEnd of LogType:stdout\n****")));
    }

    @Test
    void readsSeveralPieces() throws IOException {
        InputStream in = in(HEAD + "12345\nEnd of LogType:stdout\n****\n\n" + HEAD + "67890\nEnd of LogType:stdout\n");
        assertTrue(LogHead.next(in).isPresent());
        in.skipNBytes(5);
        assertTrue(LogHead.next(in).isPresent());
        assertEquals("67890", new String(in.readNBytes(5), UTF_8));
        assertEquals(Optional.empty(), LogHead.next(in));
    }

    @Test
    void refusesAHeadThatIsNone() {
        assertThrows(IOException.class, () -> LogHead.read(in("<html>")));
        assertThrows(IOException.class, () -> LogHead.read(in("LogContents:\n")));
        assertThrows(IOException.class, () -> LogHead.read(in("LogLength:many\nLogContents:\n")));
        assertThrows(IOException.class, () -> LogHead.read(in("x".repeat(10_000) + "\n")));
    }
}
