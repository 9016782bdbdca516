package dev.hearth.rpc.internal.bulk;

import static dev.hearth.rpc.internal.bulk.BulkPair.MEBIBYTE;
import static dev.hearth.rpc.internal.bulk.BulkPair.await;
import static dev.hearth.rpc.internal.bulk.BulkPair.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.RecordedLogs;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.testkit.ForwardingContentStore;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads into a store: over faulty connections, concurrent ones, and into a full store. */
class UploadTest {
    private static final int SIZE = 3 * MEBIBYTE + 100;
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final byte[] CONTENT = BulkPair.random(13, SIZE);

    @TempDir
    Path directory;

    private final BulkPair pair = new BulkPair();
    private ContentStore store;
    private Registration accepting;
    private Path file;

    @BeforeEach
    void open() throws Exception {
        store = new DirectoryContentStores().open(directory.resolve("store"), 10L * MEBIBYTE);
        accepting = pair.server.accept(store);
        file = BulkPair.file(directory, "app.jar", CONTENT);
    }

    @AfterEach
    void close() {
        pair.close();
        store.close();
    }

    @Test
    void putsContentUnderItsHashForTheOwnerAlone() throws Exception {
        ContentId content = await(pair.client.upload(pair.address(), file));

        Path stored = store.find(content).orElseThrow();
        assertArrayEquals(CONTENT, Files.readAllBytes(stored));
        assertEquals(SIZE, store.bytesHeld());
        if (stored.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(stored)));
        }
        assertEquals(content, await(pair.client.upload(pair.address(), file)), "it is there already");
        assertEquals(SIZE, store.bytesHeld());
        Path empty = BulkPair.file(directory, "empty.jar", new byte[0]);
        assertTrue(store.find(await(pair.client.upload(pair.address(), empty))).isPresent());
    }

    @ParameterizedTest(name = "cut after {0} bytes")
    @ValueSource(ints = {0, 1, 10, 79, 80, 1_000, 1_048_576, 1_048_700, 2_097_300, 3_145_900, 3_145_932})
    void goesOnWhereTheWayWasCut(int bytes) throws Exception {
        try (FaultyProxy way =
                new FaultyProxy(pair.address(), ProxyFault.cutUpload(bytes), ProxyFault.cutUpload(bytes))) {
            ContentId content = await(pair.client.upload(way.address(), file));

            assertArrayEquals(CONTENT, Files.readAllBytes(store.find(content).orElseThrow()));
        }
    }

    @Test
    void sendsOnlyWhatIsMissingAfterTenCuts() throws Exception {
        int cuts = 10;
        ProxyFault[] faults = new ProxyFault[cuts];
        Arrays.fill(
                faults, ProxyFault.cutUpload(BulkLimits.PIECE_BYTES + 30_000)); // one piece of each connection is kept
        List<Long> progress = new CopyOnWriteArrayList<>();
        try (FaultyProxy way = new FaultyProxy(pair.address(), faults)) {
            ContentId content = ContentId.of(file);
            assertEquals(content, await(pair.client.upload(way.address(), file, content, progress::add)));

            assertArrayEquals(CONTENT, Files.readAllBytes(store.find(content).orElseThrow()));
            assertEquals(cuts + 1, way.connections());
            assertTrue(
                    progress.contains((long) cuts * BulkLimits.PIECE_BYTES), // where the last connection began
                    progress::toString);
        }
    }

    @ParameterizedTest(name = "answer cut after {0} bytes")
    @ValueSource(ints = {0, 3, 30, 31, 34, 36})
    void goesOnWhenTheAnswerWasCut(int bytes) throws Exception {
        try (FaultyProxy way = new FaultyProxy(pair.address(), ProxyFault.cut(bytes), ProxyFault.cut(bytes))) {
            ContentId content = await(pair.client.upload(way.address(), file));

            assertArrayEquals(CONTENT, Files.readAllBytes(store.find(content).orElseThrow()));
        }
    }

    @Test
    void recoversFromDamage() throws Exception {
        try (FaultyProxy way = new FaultyProxy(
                pair.address(),
                ProxyFault.flipUpload(2L * MEBIBYTE),
                ProxyFault.flipUpload(1_000),
                ProxyFault.flipUpload(1_000))) {
            ContentId content = await(pair.client.upload(way.address(), file));

            assertArrayEquals(CONTENT, Files.readAllBytes(store.find(content).orElseThrow()));
        }
    }

    @Test
    void storesConcurrentUploadsOfTheSameContentOnce() throws Exception {
        store.close();
        accepting.close();
        store = new DirectoryContentStores().open(directory.resolve("wide"), 100L * MEBIBYTE);
        pair.server.accept(store);
        List<CompletionStage<ContentId>> uploads = new ArrayList<>();
        List<BulkPair> others = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            BulkPair other = new BulkPair();
            others.add(other);
            uploads.add(other.client.upload(pair.address(), file));
        }
        ContentId content = await(uploads.get(0));
        for (CompletionStage<ContentId> upload : uploads) {
            assertEquals(content, await(upload));
        }
        others.forEach(BulkPair::close);

        assertArrayEquals(CONTENT, Files.readAllBytes(store.find(content).orElseThrow()));
        assertEquals(SIZE, store.bytesHeld());
        try (var parts = Files.list(directory.resolve("wide/incoming"))) {
            assertEquals(0, parts.count());
        }
    }

    @Test
    void aStoreThatReadsLongerThanTheSilenceTimeoutOpensNoSecondPart() throws Exception {
        Duration silence = Duration.ofSeconds(3); // long enough that a busy machine does not cause a timeout
        BulkTimeouts hasty = new BulkTimeouts(
                silence,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(2),
                Duration.ofMillis(5),
                Duration.ofMillis(20));
        long beats = silence.dividedBy(hasty.workBeat()) + 1; // enough WORKING frames to exceed the silence timeout
        try (BulkPair slow = new BulkPair(hasty)) {
            SlowStore reading = new SlowStore(store, () -> received(slow) >= beats * BulkFrameKind.HEAD_BYTES);
            slow.server.accept(reading);

            ContentId content = await(slow.client.upload(slow.address(), file));

            assertEquals(1, reading.receiving.get(), "parts begun");
            assertArrayEquals(CONTENT, Files.readAllBytes(store.find(content).orElseThrow()));
        }
    }

    @Test
    void retriesWhileTheStoreStillHoldsItsEarlierAttempt() throws Exception {
        store.close();
        accepting.close();
        store = new DirectoryContentStores().open(directory.resolve("narrow"), SIZE + 1);
        BulkTimeouts patient = new BulkTimeouts(
                Duration.ofSeconds(20),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(2),
                Duration.ofMillis(300),
                Duration.ofSeconds(5));
        ContentStore.Incoming before = store.receive(ContentId.of(file), SIZE);
        before.write(ByteBuffer.wrap(CONTENT, 0, MEBIBYTE));
        try (RecordedLogs.Recording logs = RecordedLogs.begin();
                BulkPair again = new BulkPair(patient)) {
            again.server.accept(store);
            CompletionStage<ContentId> upload = again.client.upload(again.address(), file);
            Eventually.until(
                    "it schedules a retry",
                    () -> logs.lines().stream().anyMatch(line -> line.contains("retried in 300 ms"))
                            || upload.toCompletableFuture().isDone(),
                    BOUND,
                    () -> logs.lines().toString());
            before.close();

            assertArrayEquals(
                    CONTENT, Files.readAllBytes(store.find(await(upload)).orElseThrow()));
        }
    }

    private static long received(BulkPair pair) {
        return pair.client.snapshots().stream()
                .mapToLong(BulkSnapshot::bytesReceived)
                .sum();
    }

    @Test
    void refusesContentBeyondTheCapacity() throws Exception {
        Path large = BulkPair.file(directory, "large.jar", new byte[10 * MEBIBYTE + 1]);

        HearthException full = failure(pair.client.upload(pair.address(), large));

        assertEquals("STORE_FULL", full.code());
        assertTrue(full.getMessage().contains(String.valueOf(10 * MEBIBYTE)), full.getMessage());
        await(pair.client.upload(pair.address(), file));
    }

    @Test
    void reportsThatNoStoreAcceptsUploads() throws Exception {
        accepting.close();

        assertEquals(
                "STREAM_MISSING",
                failure(pair.client.upload(pair.address(), file)).code());

        Registration again = pair.server.accept(store);
        assertThrows(IllegalStateException.class, () -> pair.server.accept(store));
        await(pair.client.upload(pair.address(), file));
        again.close();
    }

    @Test
    void reportsAMissingFile() {
        HearthException missing = failure(pair.client.upload(pair.address(), directory.resolve("no-such.jar")));

        assertEquals("PATH_MISSING", missing.code());
    }

    /** Reads existing bytes until the other side has received enough WORKING frames, or retries. */
    private static final class SlowStore extends ForwardingContentStore {
        private final BooleanSupplier notified;
        private final AtomicInteger receiving = new AtomicInteger();

        SlowStore(ContentStore store, BooleanSupplier notified) {
            super(store);
            this.notified = notified;
        }

        @Override
        public Incoming receive(ContentId content, long size) throws IOException {
            receiving.incrementAndGet();
            Eventually.until(
                    "notified often enough, or retried", () -> receiving.get() > 1 || notified.getAsBoolean(), BOUND);
            return super.receive(content, size);
        }
    }
}
