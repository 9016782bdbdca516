package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.RetainedWork;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of ended and running processes, in simulated time. */
class WorkDirectoriesTest {
    private static final Duration RETENTION = Duration.ofDays(7);
    /** Later than the change of any file. */
    private static final Instant AFTER_ALL = Instant.parse("9999-01-01T00:00:00Z");

    private final FakeTicker ticker = new FakeTicker();
    private final WorkDirectories directories = new WorkDirectories();

    @TempDir
    Path scratch;

    private Path work;

    @BeforeEach
    void createParent() {
        work = scratch.resolve("new/work");
    }

    @Test
    void createsDirectoriesForTheirOwnerOnly() throws IOException {
        directories.enter(spec("app-1/0"));
        for (Path path : List.of(work.getParent(), work, work.resolve("app-1"), work.resolve("app-1/0"))) {
            assertEquals("rwx------", rights(path), path.toString());
        }
        assertEquals("rw-------", rights(work.resolve("app-1/0").resolve(WorkDirectory.MARKER)));
    }

    @Test
    void givesEachAttemptADirectoryOfItsOwnAndKeepsTheLastOnes() throws IOException {
        for (int attempt = 1; attempt <= 5; attempt++) {
            ChildSpec spec = spec("driver-1").ofAttempt(attempt);
            directories.enter(spec);
            Path working = directories.working(spec, Optional.empty());
            assertEquals(work.resolve("driver-1/attempt-" + attempt), working);
            assertEquals("rwx------", rights(working));
            Files.writeString(working.resolve("core"), "x");
            directories.removeAttempts(spec);
        }
        Files.createDirectory(work.resolve("driver-1/attempt-x"));
        directories.removeAttempts(spec("driver-1").ofAttempt(5));
        try (Stream<Path> all = Files.list(work.resolve("driver-1"))) {
            assertEquals(
                    List.of(WorkDirectory.MARKER, "attempt-3", "attempt-4", "attempt-5", "attempt-x"),
                    all.map(path -> path.getFileName().toString()).sorted().toList());
        }
        ChildSpec plain = spec("driver-2");
        directories.enter(plain);
        assertEquals(work.resolve("driver-2"), directories.working(plain, Optional.empty()));
    }

    @Test
    void isUsedUntilTheLastOfItsChildrenHasLeft() throws IOException {
        directories.enter(spec("driver-1").ofAttempt(1));
        directories.enter(spec("driver-1").ofAttempt(2));
        directories.leave(spec("driver-1").ofAttempt(1)); // after its forked processes have ended
        assertEquals(List.of(), directories.removeEnded(work, AFTER_ALL));
        directories.leave(spec("driver-1").ofAttempt(2));
        assertEquals(List.of("driver-1"), directories.removeEnded(work, AFTER_ALL));
    }

    @Test
    void restrictsAnOlderDirectory() throws IOException {
        Path older = Files.createDirectories(work.resolve("driver-1"));
        Files.setPosixFilePermissions(older, PosixFilePermissions.fromString("rwxr-xr-x"));
        directories.enter(spec("driver-1"));
        assertEquals("rwx------", rights(older));
    }

    @Test
    void removesWhatEndedLongAgoAndNothingElse() throws IOException {
        end("driver-old");
        end("app-old/0");
        end("app-old/1");
        Files.createDirectories(work.resolve("driver-of-another-program"));
        Files.writeString(work.resolve("notes"), "by the operator");
        directories.enter(spec("driver-running"));
        directories.enter(spec("app-running/0"));
        end("app-running/1");
        touchAll();
        ticker.advance(RETENTION.minusSeconds(1));
        assertEquals(List.of(), removeEnded());

        end("driver-new");
        touch(work.resolve("driver-new"));
        ticker.advance(Duration.ofSeconds(2));
        assertEquals(List.of("app-old", "driver-old"), removeEnded());
        assertEquals(
                List.of("app-running", "driver-new", "driver-of-another-program", "driver-running", "notes"), names());

        directories.leave(spec("driver-running"));
        directories.leave(spec("app-running/0"));
        ticker.advance(RETENTION);
        assertEquals(List.of("app-running", "driver-new", "driver-running"), removeEnded());
    }

    @Test
    void sparesADirectoryWhoseOutputWasWrittenLately() throws IOException {
        end("driver-1");
        touchAll();
        ticker.advance(RETENTION.plusDays(1));
        Path output = Files.writeString(work.resolve("driver-1/stdout"), "a line");
        Files.setLastModifiedTime(output, FileTime.from(ticker.wall()));
        touchDirectory(work.resolve("driver-1"), RETENTION.plusDays(1));
        assertEquals(List.of(), removeEnded());
    }

    @Test
    void sparesWhatRunsUnderAnotherProcess() throws Exception {
        directories.enter(spec("driver-1"));
        touchAll();
        ticker.advance(RETENTION.plusDays(1));
        WorkDirectories restarted = new WorkDirectories(); // has no children of its own
        try (FileChannel lock = WorkDirectory.hold(work.resolve("driver-1")).orElseThrow()) {
            assertTrue(lock.isOpen());
            assertEquals(List.of(), restarted.removeEnded(work, ticker.wall().minus(RETENTION)));
        }
        assertEquals(
                List.of("driver-1"), restarted.removeEnded(work, ticker.wall().minus(RETENTION)));
        assertFalse(Files.exists(work.resolve("driver-1")));
    }

    @Test
    void followsNoLinks() throws IOException {
        Path elsewhere = Files.createDirectories(scratch.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("file"), "not below the work directory");
        end("driver-1");
        Files.createSymbolicLink(work.resolve("driver-1/link"), elsewhere);
        Files.createSymbolicLink(work.resolve("driver-2"), elsewhere);
        assertEquals(List.of("driver-1"), directories.removeEnded(work, AFTER_ALL));
        assertTrue(Files.exists(elsewhere.resolve("file")));
        assertEquals(List.of("driver-2"), names());
    }

    @Test
    void finishesARemovalThatWasInterrupted() throws IOException {
        Path rest = Files.createDirectories(work.resolve(".removed-app-1/0"));
        Files.writeString(rest.resolve("stdout"), "rest");
        assertEquals(List.of(), removeEnded());
        assertEquals(List.of(), names());
    }

    @Test
    void removesTheOldestOnesBeyondTheBytes() throws IOException {
        for (String name : List.of("app-1", "app-2", "driver-3")) {
            end(name, 1_000);
            ticker.advance(Duration.ofHours(1));
        }
        directories.enter(spec("app-running/0"));
        Files.writeString(work.resolve("app-running/0/stdout"), "x".repeat(1_000_000));
        touch(work.resolve("app-running"));
        Files.createDirectories(work.resolve("driver-of-another-program"));
        Files.writeString(work.resolve("driver-of-another-program/file"), "x".repeat(1_000_000));
        assertEquals(List.of(), removeBeyond(4_000));
        assertEquals(List.of("app-1"), removeBeyond(2_999));
        assertEquals(List.of("app-2", "driver-3"), removeBeyond(999));
        assertEquals(List.of("app-running", "driver-of-another-program"), names());
    }

    @Test
    void sparesWhatHasJustEndedWhateverItsBytes() throws IOException {
        end("driver-1", 1_000);
        ticker.advance(Duration.ofMinutes(5));
        assertEquals(List.of(), removeBeyond(1));
        ticker.advance(Duration.ofMinutes(6));
        assertEquals(List.of("driver-1"), removeBeyond(1));
    }

    @Test
    void allowsEndedOnesATenthOfTheFileSystemByDefault() throws IOException {
        end("driver-1", 1_000);
        ticker.advance(Duration.ofDays(1));
        Instant now = ticker.wall();
        RetainedWork retained = new RetainedWork(now.minus(RETENTION), OptionalLong.empty(), now);
        assertEquals(List.of(), directories.removeEnded(work, retained));
        assertEquals(List.of(), directories.removeEnded(scratch.resolve("missing"), retained));
    }

    private void end(String name, int bytes) throws IOException {
        end(name);
        Files.writeString(work.resolve(name).resolve("stdout"), "x".repeat(bytes));
        touch(work.resolve(name));
    }

    private List<String> removeBeyond(long bytesMax) throws IOException {
        Instant now = ticker.wall();
        RetainedWork retained =
                new RetainedWork(now.minus(RETENTION), OptionalLong.of(bytesMax), now.minus(Duration.ofMinutes(10)));
        return directories.removeEnded(work, retained).stream().sorted().toList();
    }

    @Test
    void toleratesAMissingDirectory() throws IOException {
        assertEquals(List.of(), removeEnded());
    }

    private List<String> removeEnded() throws IOException {
        return directories.removeEnded(work, ticker.wall().minus(RETENTION)).stream()
                .sorted()
                .toList();
    }

    private void end(String name) throws IOException {
        directories.enter(spec(name));
        directories.leave(spec(name));
        Files.writeString(work.resolve(name).resolve("stdout"), "output");
    }

    private ChildSpec spec(String name) {
        return new ChildSpec("driver", List.of(), Map.of(), work.resolve(name));
    }

    private void touchAll() throws IOException {
        touch(work);
    }

    private void touch(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                if (!Files.isSymbolicLink(path)) {
                    Files.setLastModifiedTime(path, FileTime.from(ticker.wall()));
                }
            }
        }
    }

    private void touchDirectory(Path directory, Duration ago) throws IOException {
        Files.setLastModifiedTime(directory, FileTime.from(ticker.wall().minus(ago)));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(work)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
