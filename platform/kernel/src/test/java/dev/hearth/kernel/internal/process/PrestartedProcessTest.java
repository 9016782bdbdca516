package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrestartedProcessTest {
    @TempDir
    Path scratch;

    /** Process that runs nothing. */
    private static final class NoProcess extends Process {
        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return 0;
        }

        @Override
        public int exitValue() {
            return 0;
        }

        @Override
        public void destroy() {}

        @Override
        public long pid() {
            return 7;
        }
    }

    private PrestartedProcess waiting() throws IOException {
        Path directory = scratch.resolve("ahead/7-0");
        WorkDirectory.createMarked(directory);
        return new PrestartedProcess(
                "driver", new ProcessStart.Forked(new NoProcess(), ProcessLeftovers.ofNewChild(Map.of())), directory);
    }

    @Test
    void movesToTheDirectoryOfTheChildAndKeepsItsFiles() throws IOException {
        PrestartedProcess process = waiting();
        Files.writeString(process.directory().resolve("own"), "of the process");
        Path target = scratch.resolve("work/driver-1");
        WorkDirectory.createMarked(target);
        Files.writeString(target.resolve("app.jar"), "uploaded");
        Files.createDirectories(target.resolve("more/deep"));

        assertTrue(process.moveTo(target));
        assertEquals("of the process", Files.readString(target.resolve("own")));
        assertEquals("uploaded", Files.readString(target.resolve("app.jar")));
        assertTrue(Files.isDirectory(target.resolve("more/deep")));
        assertTrue(WorkDirectory.isMarked(target));
        // a path that the process has resolved before still leads to its directory
        Files.writeString(process.directory().resolve("result"), "by the old path");
        assertEquals("by the old path", Files.readString(target.resolve("result")));
        assertEquals(List.of(process.directory()), entries());

        process.forget();
        assertEquals(List.of(), entries());
        assertTrue(Files.exists(target.resolve("result")));
    }

    @Test
    void changesNothingIfItCannotMove() throws IOException {
        PrestartedProcess process = waiting();
        assertFalse(process.moveTo(scratch.resolve("work/none")));
        assertEquals(List.of(process.directory()), entries());
        assertTrue(WorkDirectory.isMarked(process.directory()));

        Path target = scratch.resolve("work/driver-1");
        WorkDirectory.createMarked(target);
        Files.writeString(target.resolve("app.jar"), "uploaded");
        process.forget();
        assertFalse(process.moveTo(target)); // its own directory is gone
        assertEquals("uploaded", Files.readString(target.resolve("app.jar")));
    }

    @Test
    void theStampOfAnInstallationChangesWithEachFile() throws IOException {
        Path one = Files.createDirectories(scratch.resolve("lib"));
        Path two = Files.createDirectories(scratch.resolve("conf"));
        Path none = scratch.resolve("none");
        List<Path> all = List.of(one, two, none);
        long empty = InstallationStamp.of(all);
        Files.writeString(one.resolve("a.jar"), "a");
        long first = InstallationStamp.of(all);
        assertNotEquals(empty, first);
        assertEquals(first, InstallationStamp.of(List.of(none, two, one)));
        Files.writeString(two.resolve("defaults.conf"), "x");
        long second = InstallationStamp.of(all);
        assertNotEquals(first, second);
        Files.writeString(scratch.resolve("new"), "b");
        Files.move(scratch.resolve("new"), one.resolve("a.jar"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertNotEquals(second, InstallationStamp.of(all));
        Files.delete(two.resolve("defaults.conf"));
        assertNotEquals(second, InstallationStamp.of(all));
    }

    private List<Path> entries() throws IOException {
        try (var entries = Files.list(scratch.resolve("ahead"))) {
            return entries.toList();
        }
    }
}
