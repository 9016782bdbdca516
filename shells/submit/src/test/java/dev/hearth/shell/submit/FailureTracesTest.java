package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of stack traces in a directory of the test. */
class FailureTracesTest {
    @TempDir
    Path directory;

    @Test
    void writesTheWholeTraceForItsUserAlone() throws IOException {
        Path file = new FailureTraces(directory, 2).write("App", new IllegalStateException("boom"));
        assertTrue(file.getFileName().toString().matches("hearth-failure-\\d+\\.txt"), file::toString);
        List<String> lines = Files.readAllLines(file);
        assertTrue(lines.get(0).startsWith("application App, 2"), lines::toString);
        assertEquals("java.lang.IllegalStateException: boom", lines.get(1));
        assertTrue(lines.get(2).startsWith("\tat dev.hearth.shell.submit.FailureTracesTest."), lines::toString);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void keepsTheNewestAndWhatIsNotItsOwn() throws IOException {
        Path other = Files.createFile(directory.resolve("hearth-failure-of-mine.log"));
        List<Path> written = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Path file = new FailureTraces(directory, 2).write("App", new IllegalStateException("boom " + i));
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_000L * i));
            written.add(file);
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(3, files.count());
        }
        assertTrue(Files.exists(other) && Files.exists(written.get(4)) && Files.exists(written.get(3)));
        assertFalse(Files.exists(written.get(2)));
    }
}
