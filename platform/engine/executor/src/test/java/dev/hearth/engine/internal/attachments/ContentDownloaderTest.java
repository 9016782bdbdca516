package dev.hearth.engine.internal.attachments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests downloads from a driver to executors of one machine, with a simulated network and a real disk. */
class ContentDownloaderTest {
    private static final String STREAM = "code";
    private static final Duration BOUND = Duration.ofHours(1);

    @TempDir
    Path scratch;

    private final Simulation simulation = new Simulation(1);
    private final List<String> requested = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();
    private SimulatedProcess driver;
    private Path jar;
    private int targets;

    @BeforeEach
    void serve() throws IOException {
        directories.add(scratch.resolve("local"));
        jar = Files.writeString(scratch.resolve("app.jar"), "classes ".repeat(1000));
        driver = simulation.process("driver");
        driver.env("driver", 1).streams().serve(STREAM, name -> {
            requested.add(name);
            return StreamProvider.file(jar).open(name);
        });
    }

    private ContentDownloader executor(String name, int port) {
        SimulatedProcess process = simulation.process(name);
        RpcEnv rpc = process.env(name, port);
        return new ContentDownloader(
                rpc::streams, new RpcAddress("driver", 1), () -> directories, simulation.ticker(), Runnable::run);
    }

    private CompletableFuture<Path> begin(ContentDownloader executor, ContentId content, boolean own) {
        Path target = scratch.resolve("target-" + targets++);
        return executor.fetch(STREAM, content, "jar", target, own).toCompletableFuture();
    }

    private Path fetch(ContentDownloader executor, ContentId content, boolean own) {
        CompletableFuture<Path> coming = begin(executor, content, own);
        assertTrue(simulation.runUntil(coming::isDone, BOUND));
        return coming.join();
    }

    private ErrorCode refusal(ContentDownloader executor, ContentId content) {
        return Failures.code(assertThrows(RuntimeException.class, () -> fetch(executor, content, false)));
    }

    private List<Path> cached() {
        try (Stream<Path> all = Files.walk(scratch.resolve("local"))) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void isDownloadedOncePerMachine() throws IOException {
        ContentId content = ContentId.of(jar);
        assertEquals(-1, Files.mismatch(jar, fetch(executor("a", 2), content, false)));
        Path second = fetch(executor("b", 3), content, true);
        assertEquals(-1, Files.mismatch(jar, second));
        assertEquals(1, requested.size(), "the second executor found it in the cache");
        Files.writeString(second, "changed by a task");
        assertEquals(-1, Files.mismatch(jar, fetch(executor("c", 4), content, false)), "only the copy was changed");
        assertEquals(1, requested.size());
    }

    @Test
    void isDownloadedByTwoExecutorsAtOnce() throws IOException {
        ContentId content = ContentId.of(jar);
        CompletableFuture<Path> first = begin(executor("a", 2), content, false);
        CompletableFuture<Path> second = begin(executor("b", 3), content, false);
        assertTrue(simulation.runUntil(() -> first.isDone() && second.isDone(), BOUND));
        assertEquals(-1, Files.mismatch(first.join(), second.join()));
        assertEquals(1, cached().size());
    }

    @Test
    void isFetchedAgainWhenTheCachedFileIsCorrupt() throws IOException {
        ContentId content = ContentId.of(jar);
        ContentDownloader executor = executor("a", 2);
        fetch(executor, content, true);
        Files.writeString(cached().get(0), "corrupt");
        assertEquals(-1, Files.mismatch(jar, fetch(executor, content, true)));
        assertEquals(2, requested.size());
    }

    @Test
    void isRefusedWhenTheContentHasChangedAtTheDriver() throws IOException {
        ContentId content = ContentId.of(jar);
        Files.writeString(jar, "another one");
        assertEquals(ErrorCode.FILE_DAMAGED, refusal(executor("a", 2), content));
        assertEquals(List.of(), cached());
    }

    @Test
    void failsWhenTheDriverIsUnreachable() throws IOException {
        ContentId content = ContentId.of(jar);
        driver.crash();
        assertEquals(ErrorCode.PEER_UNREACHABLE, refusal(executor("a", 2), content));
        assertEquals(List.of(), cached());
    }

    @Test
    void usesTheNextDirectoryWhenOneFails() throws IOException {
        directories.add(0, Files.createFile(scratch.resolve("no-directory")));
        assertEquals(-1, Files.mismatch(jar, fetch(executor("a", 2), ContentId.of(jar), false)));
        directories.remove(1);
        assertEquals(ErrorCode.DISK_FAILED, refusal(executor("b", 3), ContentId.of(jar)));
    }

    @Test
    void refusesACacheThatOthersMayWriteTo() throws IOException {
        fetch(executor("a", 2), ContentId.of(jar), false);
        Path directory = cached().get(0).getParent();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertEquals(ErrorCode.DISK_FAILED, refusal(executor("b", 3), ContentId.of(jar)));
    }

    @Test
    void evictsUnusedAndExcessFiles() throws IOException {
        FakeTicker clock = new FakeTicker();
        ContentCache cache = ContentCache.below(scratch.resolve("local"), clock, 25);
        List<ContentId> contents = new ArrayList<>();
        for (String text : List.of("0123456789", "abcdefghij", "ABCDEFGHIJ")) {
            contents.add(add(cache, text));
            clock.advance(Duration.ofHours(1));
        }
        assertFalse(cache.find(contents.get(0)).isPresent(), "the least recently used file was evicted");
        assertTrue(cache.find(contents.get(1)).isPresent());
        clock.advance(Duration.ofHours(1));
        Path left = Files.writeString(cache.incoming(), "half");
        Files.setLastModifiedTime(left, FileTime.from(clock.wall()));
        clock.advance(ContentCache.UNUSED_MAX);
        assertTrue(cache.find(contents.get(2)).isPresent());
        ContentId last = add(cache, "last");
        assertFalse(Files.exists(left), "the download was abandoned");
        assertFalse(cache.find(contents.get(1)).isPresent(), "the file was unused for a week");
        assertTrue(cache.find(contents.get(2)).isPresent());
        assertNotEquals(last, contents.get(2));
    }

    private static ContentId add(ContentCache cache, String text) throws IOException {
        Path incoming = Files.writeString(cache.incoming(), text);
        ContentId content = ContentId.of(incoming);
        cache.add(incoming, content, "content");
        return content;
    }
}
