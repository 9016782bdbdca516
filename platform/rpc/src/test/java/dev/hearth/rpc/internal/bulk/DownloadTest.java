package dev.hearth.rpc.internal.bulk;

import static dev.hearth.rpc.internal.bulk.BulkPair.MEBIBYTE;
import static dev.hearth.rpc.internal.bulk.BulkPair.await;
import static dev.hearth.rpc.internal.bulk.BulkPair.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads over faulty connections, of changing content, and onto failing disks. */
class DownloadTest {
    private static final int SIZE = 3 * MEBIBYTE + 100;
    private static final byte[] CONTENT = BulkPair.random(11, SIZE);

    @TempDir
    Path directory;

    private final BulkPair pair = new BulkPair();

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest(name = "cut after {0} bytes")
    @ValueSource(
            ints = {0, 1, 5, 20, 60, 70, 80, 1_000, 1_048_575, 1_048_700, 2_097_300, 3_145_800, 3_145_900, 3_145_940})
    void goesOnWhereTheWayWasCut(int bytes) throws Exception {
        serveFile();
        Path target = directory.resolve("got.bin");
        try (FaultyProxy way = new FaultyProxy(pair.address(), ProxyFault.cut(bytes), ProxyFault.cut(bytes))) {
            StreamInfo info = await(pair.client.download(way.address(), "file", target));

            assertEquals(SIZE, info.size());
            assertArrayEquals(CONTENT, Files.readAllBytes(target));
            assertNothingElseThan("got.bin");
        }
    }

    @Test
    void recoversFromDamage() throws Exception {
        serveFile();
        Path target = directory.resolve("got.bin");
        try (FaultyProxy way = new FaultyProxy(
                pair.address(),
                ProxyFault.flip(2L * MEBIBYTE),
                ProxyFault.flip(1_000),
                ProxyFault.flip(2L * MEBIBYTE))) {
            await(pair.client.download(way.address(), "file", target));

            assertArrayEquals(CONTENT, Files.readAllBytes(target));
            assertNothingElseThan("got.bin");
        }
    }

    @Test
    void givesUpWhenNothingComesAndKeepsWhatCame() throws Exception {
        serveFile();
        Path target = directory.resolve("got.bin");
        ProxyFault[] hopeless = new ProxyFault[40];
        Arrays.fill(hopeless, ProxyFault.cut(100));
        hopeless[0] = ProxyFault.cut(2L * MEBIBYTE);
        try (FaultyProxy way = new FaultyProxy(pair.address(), hopeless)) {
            HearthException lost = failure(pair.client.download(way.address(), "file", target));
            assertEquals("PEER_LOST", lost.code());
        }
        assertFalse(Files.exists(target));
        assertEquals(
                2 * MEBIBYTE - BulkLimits.PIECE_BYTES, Files.size(directory.resolve("got.bin.part")), "whole pieces");

        // the connection is cut after fewer bytes than the whole, enough for the rest
        try (FaultyProxy way = new FaultyProxy(pair.address(), ProxyFault.cut(SIZE - 10_000L))) {
            await(pair.client.download(way.address(), "file", target));
            assertEquals(1, way.connections());
        }

        assertArrayEquals(CONTENT, Files.readAllBytes(target));
        assertNothingElseThan("got.bin");
    }

    @Test
    void startsOverWhenTheContentHasChanged() throws Exception {
        serveFile();
        Path target = directory.resolve("got.bin");
        Files.write(directory.resolve("got.bin.part"), new byte[MEBIBYTE]);
        Files.writeString(directory.resolve("got.bin.part.tag"), "of another state");

        await(pair.client.download(pair.address(), "file", target));

        assertArrayEquals(CONTENT, Files.readAllBytes(target));
        assertNothingElseThan("got.bin");
    }

    @Test
    void discardsAPartialDownloadWithoutATag() throws Exception {
        serveFile();
        Path target = directory.resolve("got.bin");
        Files.write(directory.resolve("got.bin.part"), new byte[2 * SIZE]);

        await(pair.client.download(pair.address(), "file", target));

        assertArrayEquals(CONTENT, Files.readAllBytes(target));
    }

    @Test
    void failsWhenTheContentNeverStaysTheSame() throws Exception {
        AtomicInteger states = new AtomicInteger();
        pair.server.serve(
                "restless",
                name -> Optional.of(new StreamContent.InMemory(
                        Bytes.owning(CONTENT.clone()), "state " + states.incrementAndGet())));
        Path target = directory.resolve("got.bin");
        try (FaultyProxy way = new FaultyProxy(
                pair.address(), ProxyFault.cut(2L * MEBIBYTE), ProxyFault.NONE, ProxyFault.cut(2L * MEBIBYTE))) {
            // the first attempt is cut; the second finds that the stream has changed and starts over on the same
            // connection
            await(pair.client.download(way.address(), "restless", target));
            assertArrayEquals(CONTENT, Files.readAllBytes(target));
        }
        Files.delete(target);
        try (FaultyProxy way = new FaultyProxy(
                pair.address(),
                ProxyFault.cut(2L * MEBIBYTE),
                ProxyFault.cut(2L * MEBIBYTE),
                ProxyFault.cut(2L * MEBIBYTE),
                ProxyFault.cut(2L * MEBIBYTE))) {
            HearthException changed = failure(pair.client.download(way.address(), "restless", target));
            assertEquals("STREAM_CHANGED", changed.code());
        }
        assertNothingElseThan();
    }

    @Test
    void saysThatTheStreamIsNotThereAndLeavesNothing() throws Exception {
        HearthException missing = failure(pair.client.download(pair.address(), "none", directory.resolve("got.bin")));

        assertEquals("STREAM_MISSING", missing.code());
        assertNothingElseThan();
    }

    @Test
    void saysThatTheDirectoryCannotBeWritten() throws Exception {
        serveFile();

        HearthException unwritable =
                failure(pair.client.download(pair.address(), "file", directory.resolve("no-such-directory/got.bin")));

        assertEquals("DISK_FAILED", unwritable.code());
        assertTrue(unwritable.getMessage().contains("no-such-directory"), unwritable.getMessage());
    }

    @Test
    void replacesAnOlderFileOnlyWhenItIsComplete() throws Exception {
        serveFile();
        Path target = Files.write(directory.resolve("got.bin"), new byte[] {1});
        try (FaultyProxy way = new FaultyProxy(
                pair.address(),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10),
                ProxyFault.cut(10))) {
            failure(pair.client.download(way.address(), "file", target));
            assertArrayEquals(new byte[] {1}, Files.readAllBytes(target));
        }

        await(pair.client.download(pair.address(), "file", target));

        assertArrayEquals(CONTENT, Files.readAllBytes(target));
    }

    @Test
    void takesOneDownloadPerFileAtATime() throws Exception {
        serveFile();
        Path target = directory.resolve("got.bin");
        try (FaultyProxy way = new FaultyProxy(pair.address(), ProxyFault.stall(100));
                WatchService files = directory.getFileSystem().newWatchService()) {
            directory.register(files, StandardWatchEventKinds.ENTRY_CREATE);
            CompletionStage<StreamInfo> first = pair.client.download(way.address(), "file", target);
            assertNotNull(files.poll(30, TimeUnit.SECONDS), "it has its file, which is not created after the test");

            HearthException second = failure(pair.client.download(pair.address(), "file", target));

            assertEquals("BAD_ARGUMENT", second.code());
            assertFalse(first.toCompletableFuture().isDone());
            pair.client.close();
            assertEquals("PEER_LOST", failure(first).code());
        }
    }

    @Test
    void unlocksThePartFileBeforeTheFailureIsReported() throws Exception {
        List<CompletableFuture<StreamInfo>> fetches = new ArrayList<>();
        Download download = new Download(
                "download of 'x'",
                directory.resolve("got.bin"),
                (range, sink) -> {
                    fetches.add(new CompletableFuture<>());
                    return fetches.get(fetches.size() - 1);
                },
                new DirectSteps(),
                new RetryBackoff(Duration.ofMillis(1), Duration.ofMillis(1)));
        CompletionStage<Boolean> free = download.start().handle((info, failure) -> isFree());

        for (int i = 0; i < BulkLimits.ATTEMPTS_WITHOUT_PROGRESS_MAX; i++) {
            fetches.get(i).completeExceptionally(ErrorCode.PEER_LOST.failure("cut"));
        }

        assertTrue(await(free), "locked when its end was reported");
    }

    private boolean isFree() {
        try (FileChannel part = FileChannel.open(directory.resolve("got.bin.part"), StandardOpenOption.WRITE)) {
            return part.tryLock() != null;
        } catch (OverlappingFileLockException ours) {
            return false;
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void leavesAPartAloneThatAnotherProcessWrites() throws Exception {
        serveFile();
        Path part = Files.write(directory.resolve("got.bin.part"), new byte[] {1, 2, 3});
        try (FileChannel other = FileChannel.open(part, StandardOpenOption.WRITE)) {
            other.lock();

            HearthException refused =
                    failure(pair.client.download(pair.address(), "file", directory.resolve("got.bin")));

            assertEquals("DISK_FAILED", refused.code());
            assertTrue(refused.getMessage().contains("another download writes"), refused.getMessage());
            assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(part));
        }
        await(pair.client.download(pair.address(), "file", directory.resolve("got.bin")));

        assertArrayEquals(CONTENT, Files.readAllBytes(directory.resolve("got.bin")));
        assertNothingElseThan("got.bin");
    }

    @Test
    void deletesThePartialDownloadWhenTheDiskIsFull() throws Exception {
        Path target = directory.resolve("got.bin");
        Download download = new Download(
                "download of 'x'",
                target,
                (range, sink) -> fullDisk(sink),
                new DirectSteps(),
                new RetryBackoff(Duration.ofMillis(1), Duration.ofMillis(1)));

        HearthException full = failure(download.start());

        assertEquals("DISK_FAILED", full.code());
        assertNothingElseThan();
    }

    private static CompletionStage<StreamInfo> fullDisk(StreamSink sink) {
        try {
            sink.opened(new StreamInfo(100, "t", 0, 100));
            sink.received(ByteBuffer.wrap(new byte[50]));
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        return CompletableFuture.failedFuture(ErrorCode.DISK_FAILED.failure("x: No space left on device"));
    }

    private void serveFile() throws Exception {
        Path file = BulkPair.file(directory, "served/file.bin", CONTENT);
        pair.server.serve("file", StreamProvider.file(file));
    }

    private void assertNothingElseThan(String... names) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(
                    List.of(names),
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> !name.equals("served"))
                            .toList());
        }
    }

    private static final class DirectSteps implements Download.Steps {
        @Override
        public boolean now(Runnable step) {
            step.run();
            return true;
        }

        @Override
        public void later(Duration delay, Runnable step) {
            step.run();
        }
    }
}
