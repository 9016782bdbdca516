package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.FaultyTcpProxy.Direction;
import dev.hearth.rpc.internal.FaultyTcpProxy.Kind;
import dev.hearth.rpc.internal.bulk.DirectoryContentStores;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.stream.Transfer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk data between two envs over loopback, on intact and on faulty connections. */
class StreamsTest {
    private static final int PIECE = 1 << 20;
    private static final int SIZE = 3 * PIECE + 12_345;
    private static final long SEED = 4711;

    private final TestEnvs envs = new TestEnvs();

    @TempDir
    Path directory;

    private RpcEnv server;
    private RpcAddress address;
    private Streams asking;
    private byte[] content;
    private Path served;

    @BeforeEach
    void open() throws IOException {
        server = envs.open(settings(true, Duration.ofSeconds(30)));
        address = server.address().orElseThrow();
        asking = envs.open(settings(false, Duration.ofSeconds(30))).streams();
        content = bytes(SIZE, SEED);
        served = Files.createDirectories(directory.resolve("served"));
        Files.write(served.resolve("file"), content);
        server.streams().serve("files", StreamProvider.directory(served));
    }

    @AfterEach
    void close() {
        envs.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "0, 1048576", "5, 1048576", "1048570, 20", "3145720, 999999999", "3158073, 1", "1, 2500000"})
    void aRangeIsThatPartOfTheFile(long offset, long length) throws Exception {
        Gathering sink = new Gathering();
        StreamInfo info = TestEnvs.await(asking.fetch(address, "files/file", StreamRange.of(offset, length), sink)
                .done());
        int end = (int) Math.min(SIZE, offset + length);
        assertArrayEquals(Arrays.copyOfRange(content, (int) offset, end), sink.bytes());
        assertEquals(new StreamInfo(SIZE, info.tag(), offset, end - offset), info);
    }

    @Test
    void bytesAndSingleFilesAreServedUnderTheirNames() throws Exception {
        server.streams().serve("one", StreamProvider.file(served.resolve("file")));
        server.streams().serve("two/bytes", StreamProvider.bytes(Bytes.owning(bytes(PIECE + 1, 5))));
        assertArrayEquals(content, fetched("one"));
        assertArrayEquals(bytes(PIECE + 1, 5), fetched("two/bytes"));
        assertArrayEquals(new byte[0], fetchedEmpty());
    }

    @Test
    void aFileArrivesIntactOverEncryptedAuthenticatedConnections() throws Exception {
        RpcSecurity secured = SecuredEnvs.with(Secret.random());
        RpcEnv serving = envs.open(SecuredEnvs.settings(true, secured));
        serving.streams().serve("files", StreamProvider.directory(served));
        WireTap tap = envs.keep(new WireTap(serving.address().orElseThrow()));
        Gathering sink = new Gathering();
        TestEnvs.await(envs.open(SecuredEnvs.settings(false, secured))
                .streams()
                .fetch(tap.address(), "files/file", StreamRange.ALL, sink)
                .done());
        assertArrayEquals(content, sink.bytes());
        String part = new String(content, PIECE, 64, StandardCharsets.ISO_8859_1);
        assertFalse(tap.recorded().contains(part) || tap.recorded().contains("files/file"));
    }

    @Test
    void aDirectoryIsListedInTheOrderOfItsNames() throws Exception {
        Files.createDirectory(served.resolve("a"));
        Files.write(served.resolve("b"), new byte[7]);
        assertEquals(
                List.of(
                        new StreamEntry("a", true, 0),
                        new StreamEntry("b", false, 7),
                        new StreamEntry("file", false, SIZE)),
                TestEnvs.await(asking.list(address, "files/")));
        assertEquals(List.of(), TestEnvs.await(asking.list(address, "files/a")));
        assertEquals(
                "STREAM_MISSING",
                TestEnvs.failure(asking.list(address, "files/none")).code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"files/none", "files/link", "files/file/more", "elsewhere", "files"})
    void whatIsNotServedIsMissing(String name) throws Exception {
        Files.write(directory.resolve("secret"), new byte[10]);
        Files.createSymbolicLink(served.resolve("link"), directory.resolve("secret"));
        assertEquals("STREAM_MISSING", TestEnvs.failure(fetch(name)).code());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "../x", "files/../file", "/etc/passwd", "files//file", "files/./file", "a\u0000b", "a\\b"})
    void aNameThatIsNoneIsRefused(String name) {
        assertEquals("BAD_ARGUMENT", TestEnvs.failure(fetch(name)).code());
    }

    @Test
    void aStreamIsMissingAfterItsRegistrationIsClosed() {
        Registration registration = server.streams().serve("soon", StreamProvider.bytes(Bytes.owning(new byte[1])));
        assertTrue(server.snapshot().scopes().get(0).streams().contains("soon"));
        registration.close();
        assertEquals("STREAM_MISSING", TestEnvs.failure(fetch("soon")).code());
    }

    @Test
    void scopesShareNothing() throws Exception {
        RpcScope other = server.scope("other", Optional.empty());
        other.streams().serve("only", StreamProvider.bytes(Bytes.owning(new byte[3])));
        assertEquals("STREAM_MISSING", TestEnvs.failure(fetch("only")).code());
        other.close();
    }

    @Test
    void aThousandSmallPartsShareTwoConnections() throws Exception {
        List<CompletionStage<StreamInfo>> all = new ArrayList<>();
        List<Gathering> sinks = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Gathering sink = new Gathering();
            sinks.add(sink);
            all.add(asking.fetch(address, "files/file", StreamRange.of(i * 3_000L, 3_000), sink)
                    .done());
        }
        for (int i = 0; i < all.size(); i++) {
            TestEnvs.await(all.get(i));
            assertArrayEquals(
                    Arrays.copyOfRange(content, i * 3_000, i * 3_000 + 3_000),
                    sinks.get(i).bytes());
        }
        assertTrue(bulkPeers(server) <= 2, () -> bulkPeers(server) + " connections (expected: 2 at most)");
    }

    @Test
    @SuppressWarnings("UnnecessaryAsync") // set here, read by the bulk lane
    void aSlowReaderDoesNotDelayOthers() throws Exception {
        AtomicReference<Transfer> slow = new AtomicReference<>();
        CountDownLatch paused = new CountDownLatch(1);
        Gathering gathering = new Gathering() {
            @Override
            public void opened(StreamInfo info) {
                paused.countDown();
            }
        };
        List<Transfer> held = new ArrayList<>();
        for (int i = 0; i < 5; i++) { // more than the number of connections for streams
            Transfer transfer =
                    asking.fetch(address, "files/file", StreamRange.ALL, i == 0 ? gathering : new Gathering());
            transfer.pause();
            held.add(transfer);
        }
        slow.set(held.get(0));
        assertArrayEquals(content, fetched("files/file"));
        assertFalse(slow.get().done().toCompletableFuture().isDone());
        held.forEach(Transfer::resume);
        for (Transfer transfer : held) {
            TestEnvs.await(transfer.done());
        }
        assertArrayEquals(content, gathering.bytes());
        assertEquals(0, paused.getCount());
    }

    @Test
    void anAbortedTransferEndsAndTheNextOneWorks() throws Exception {
        Transfer transfer = asking.fetch(address, "files/file", StreamRange.ALL, new Gathering());
        transfer.pause();
        transfer.abort();
        assertEquals("TRANSFER_ABORTED", TestEnvs.failure(transfer.done()).code());
        assertArrayEquals(content, fetched("files/file"));
    }

    @Test
    void aSinkThatFailsFailsItsTransferOnly() throws Exception {
        StreamSink full = bytes -> {
            throw new IOException("No space left on device");
        };
        HearthException failure = TestEnvs.failure(
                asking.fetch(address, "files/file", StreamRange.ALL, full).done());
        assertEquals("DISK_FAILED", failure.code());
        assertTrue(failure.getMessage().contains("No space left"), failure.getMessage());
        assertArrayEquals(content, fetched("files/file"));
    }

    @Test
    void aDownloadOntoAFullDiskFailsAndLeavesNothing() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "no device that is always full here");
        Path target = directory.resolve("target");
        Files.createSymbolicLink(directory.resolve("target.part"), full);
        HearthException failure = TestEnvs.failure(asking.download(address, "files/file", target));
        assertEquals("DISK_FAILED", failure.code());
        assertTrue(failure.getMessage().contains("No space left"), failure.getMessage());
        assertFalse(Files.exists(target));
        assertNoRemains();
    }

    @Test
    void streamsAreServedAndReadOnThreadsOfTheirOwn() throws Exception {
        AtomicReference<String> serving = new AtomicReference<>();
        AtomicReference<String> reading = new AtomicReference<>();
        serveThreadName(serving);
        TestEnvs.await(asking.fetch(
                        address,
                        "threads",
                        StreamRange.ALL,
                        bytes -> reading.set(Thread.currentThread().getName()))
                .done());
        assertTrue(serving.get().startsWith("hearth-bulk"), serving.get());
        assertTrue(reading.get().startsWith("hearth-bulk"), reading.get());
    }

    @Test
    void aRequestThatComesWithTheHelloIsAnsweredOnThoseThreadsToo() throws Exception {
        AtomicReference<String> serving = new AtomicReference<>();
        serveThreadName(serving);
        byte[] hello = {'H', 'R', 'T', 'H', 1, 1, 1, 0, 0, 9, 1, 7, 'p', 'r', 'o', 'c', 'e', 's', 's'};
        byte[] fetch = {
            0, 0, 0, 26, 1, 0, 7, 't', 'h', 'r', 'e', 'a', 'd', 's', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0
        };
        try (RawConnection connection = RawConnection.to(address)) {
            connection.write(RawConnection.join(hello, fetch));
            connection.read(RawConnection.ANSWER_BYTES);
            int answer = connection.readFrame().length;
            assertTrue(answer > 24, answer + " bytes (expected: sizes, offset and tag)");
            assertTrue(serving.get().startsWith("hearth-bulk"), serving.get());
        }
    }

    @Test
    void streamsPassThroughEncryptionToo() throws Exception {
        RpcSecurity secured = SecuredEnvs.with(Secret.random());
        RpcEnv encrypted = envs.open(SecuredEnvs.settings(true, secured));
        encrypted.streams().serve("files", StreamProvider.directory(served));
        RpcEnv asker = envs.open(SecuredEnvs.settings(false, secured));
        Gathering sink = new Gathering();
        RpcAddress there = encrypted.address().orElseThrow();
        TestEnvs.await(asker.streams()
                .fetch(there, "files/file", StreamRange.ALL, sink)
                .done());
        assertArrayEquals(content, sink.bytes());
        assertTrue(
                encrypted.snapshot().peers().stream()
                        .anyMatch(peer ->
                                peer.lane() == Lane.BULK && peer.security().startsWith("TLS")),
                () -> String.valueOf(encrypted.snapshot().peers()));
    }

    @Test
    void damageOnTheWayIsNoticedBeforeTheSinkSeesIt() throws Exception {
        try (FaultyTcpProxy line = new FaultyTcpProxy(address)) {
            line.next(Kind.FLIP, Direction.ANSWERS, PIECE + 100_000);
            Gathering sink = new Gathering();
            HearthException failure = TestEnvs.failure(asking.fetch(line.address(), "files/file", StreamRange.ALL, sink)
                    .done());
            assertEquals("STREAM_DAMAGED", failure.code());
            assertTrue(failure.getMessage().contains("files/file"), failure.getMessage());
            assertTrue(failure.getMessage().contains(line.address().toString()), failure.getMessage());
            assertArrayEquals(Arrays.copyOf(content, PIECE), sink.bytes());
        }
    }

    @Test
    void aSilentPeerTimesOut() throws Exception {
        Streams impatient = envs.open(settings(false, Duration.ofMillis(300))).streams();
        try (FaultyTcpProxy line = new FaultyTcpProxy(address)) {
            line.next(Kind.STALL, Direction.ANSWERS, PIECE + 100_000);
            HearthException failure = TestEnvs.failure(impatient
                    .fetch(line.address(), "files/file", StreamRange.ALL, new Gathering())
                    .done());
            assertEquals("PEER_LOST", failure.code());
            for (String expected :
                    List.of("files/file", line.address().toString(), "no byte for", PIECE + " of " + SIZE)) {
                assertTrue(failure.getMessage().contains(expected), failure.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 60, 100, 150, 200, 70_000, PIECE, PIECE + 300, 2 * PIECE + 5, SIZE, SIZE + 100})
    void aDownloadGoesOnWhereItWasCut(int at) throws Exception {
        for (Kind kind : List.of(Kind.CUT, Kind.FLIP)) {
            Path target = directory.resolve("target-" + kind);
            try (FaultyTcpProxy line = new FaultyTcpProxy(address)) {
                line.next(kind, Direction.ANSWERS, at);
                if (kind == Kind.FLIP && at < PIECE) {
                    return; // the fault hit a handshake: another protocol
                }
                TestEnvs.await(asking.download(line.address(), "files/file", target));
            }
            assertArrayEquals(content, Files.readAllBytes(target));
            assertNoRemains();
        }
    }

    @Test
    void aDownloadGivesUpWhenItComesNoFurther() throws Exception {
        try (FaultyTcpProxy line = new FaultyTcpProxy(address)) {
            for (int i = 0; i < 20; i++) {
                line.next(Kind.CUT, Direction.ANSWERS, 2_000);
            }
            Path target = directory.resolve("target");
            assertEquals(
                    "PEER_LOST",
                    TestEnvs.failure(asking.download(line.address(), "files/file", target))
                            .code());
            assertEquals(5, line.connections());
            assertFalse(Files.exists(target));
        }
    }

    @Test
    void anotherProcessResumesAPartialDownload() throws Exception {
        Path target = directory.resolve("target");
        try (FaultyTcpProxy line = new FaultyTcpProxy(address)) {
            line.next(Kind.CUT, Direction.ANSWERS, 2 * PIECE + 1_000);
            for (int i = 0; i < 5; i++) {
                line.next(Kind.CUT, Direction.ANSWERS, 10);
            }
            TestEnvs.failure(asking.download(line.address(), "files/file", target));
            assertEquals(2 * PIECE, Files.size(directory.resolve("target.part")));
            Streams later = envs.open(settings(false, Duration.ofSeconds(30))).streams();
            line.next(Kind.CUT, Direction.ANSWERS, PIECE + 100_000L); // the missing bytes pass, but no more
            TestEnvs.await(later.download(address, "files/file", target));
        }
        assertArrayEquals(content, Files.readAllBytes(target));
        assertNoRemains();
    }

    @Test
    void aStreamThatChangedIsFetchedFromItsBeginning() throws Exception {
        Path target = directory.resolve("target");
        try (FaultyTcpProxy line = new FaultyTcpProxy(address)) {
            for (int i = 0; i < 6; i++) {
                line.next(Kind.CUT, Direction.ANSWERS, i == 0 ? 2 * PIECE : 10);
            }
            TestEnvs.failure(asking.download(line.address(), "files/file", target));
        }
        byte[] other = bytes(PIECE + 77, 99);
        Path next = directory.resolve("next");
        Files.write(next, other);
        Files.move(next, served.resolve("file"), StandardCopyOption.REPLACE_EXISTING);
        TestEnvs.await(asking.download(address, "files/file", target));
        assertArrayEquals(other, Files.readAllBytes(target));
        assertNoRemains();
        StreamRange old = StreamRange.rest(5, "an old tag");
        assertEquals(
                "STREAM_CHANGED",
                TestEnvs.failure(asking.fetch(address, "files/file", old, new Gathering())
                                .done())
                        .code());
    }

    @Test
    void anUploadArrivesOnceAndIsFoundByItsHash() throws Exception {
        try (ContentStore store = new DirectoryContentStores().open(directory.resolve("store"), 10 * PIECE)) {
            Path file = served.resolve("file");
            assertEquals(
                    "STREAM_MISSING",
                    TestEnvs.failure(asking.upload(address, file)).code());
            server.streams().accept(store);
            ContentId content1 = TestEnvs.await(asking.upload(address, file));
            assertArrayEquals(content, Files.readAllBytes(store.find(content1).orElseThrow()));
            assertEquals(content1, TestEnvs.await(asking.upload(address, file)));
            assertEquals(SIZE, store.bytesHeld());
            assertEquals(
                    "PATH_MISSING",
                    TestEnvs.failure(asking.upload(address, directory.resolve("no")))
                            .code());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 60, 200, 5_000, PIECE, 2 * PIECE + 5, SIZE})
    void anUploadGoesOnWhereItWasCut(int at) throws Exception {
        for (Kind kind : List.of(Kind.CUT, Kind.FLIP)) {
            if (kind == Kind.FLIP && at < PIECE) {
                return; // the fault hit a handshake or an offer: another protocol, or other content
            }
            try (ContentStore store = new DirectoryContentStores().open(directory.resolve("store" + kind), 4 * PIECE);
                    FaultyTcpProxy line = new FaultyTcpProxy(address);
                    Registration taking = server.streams().accept(store)) {
                line.next(kind, Direction.REQUESTS, at);
                ContentId uploaded = TestEnvs.await(asking.upload(line.address(), served.resolve("file")));
                assertArrayEquals(
                        content, Files.readAllBytes(store.find(uploaded).orElseThrow()), "with " + taking);
                assertEquals(SIZE, store.bytesHeld());
            }
        }
    }

    @Test
    void concurrentUploadsOfTheSameContentSucceed() throws Exception {
        try (ContentStore store = new DirectoryContentStores().open(directory.resolve("store"), 20 * PIECE)) {
            server.streams().accept(store);
            Streams other = envs.open(settings(false, Duration.ofSeconds(30))).streams();
            List<CompletionStage<ContentId>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add((i % 2 == 0 ? asking : other).upload(address, served.resolve("file")));
            }
            for (CompletionStage<ContentId> one : all) {
                assertTrue(store.find(TestEnvs.await(one)).isPresent());
            }
            assertEquals(SIZE, store.bytesHeld());
        }
    }

    @Test
    void aFullStoreRefusesAndStaysAsItIs() throws Exception {
        try (ContentStore store = new DirectoryContentStores().open(directory.resolve("store"), SIZE - 1)) {
            server.streams().accept(store);
            HearthException failure = TestEnvs.failure(asking.upload(address, served.resolve("file")));
            assertEquals("STORE_FULL", failure.code());
            assertEquals(0, store.bytesHeld());
        }
    }

    @Test
    void bulkConnectionsAreSeenAndEndWithTheirEnv() throws Exception {
        RpcEnv asker = envs.open(settings(false, Duration.ofSeconds(30)));
        Transfer transfer = asker.streams().fetch(address, "files/file", StreamRange.ALL, new Gathering());
        TestEnvs.await(transfer.done());
        assertEquals(1, bulkPeers(asker));
        PeerState carried = asker.snapshot().peers().get(0);
        assertTrue(carried.bytesReceived() > SIZE, carried::toString);
        assertEquals(1, carried.messagesSent(), "the request");
        assertTrue(carried.messagesReceived() > 2, () -> carried + ": the answer, its pieces, its end");
        envs.awaitTrue(() -> server.snapshot().peers().stream()
                .anyMatch(peer -> peer.lane() == Lane.BULK
                        && peer.messagesReceived() == 1
                        && peer.messagesSent() == carried.messagesReceived()));
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<Transfer> second = new AtomicReference<>();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        second.set(asker.streams().fetch(address, "files/file", StreamRange.ALL, new StreamSink() {
            @Override
            public void received(ByteBuffer bytes) {
                ready.join();
                second.get().pause();
                begun.countDown();
            }
        }));
        ready.complete(null);
        assertTrue(begun.await(TestEnvs.BOUND.toMillis(), TimeUnit.MILLISECONDS));
        asker.close();
        assertEquals("PEER_LOST", TestEnvs.failure(second.get().done()).code());
        assertEquals(
                "PEER_LOST",
                TestEnvs.failure(asker.streams().download(address, "files/file", directory.resolve("t")))
                        .code());
    }

    private void serveThreadName(AtomicReference<String> serving) {
        server.streams().serve("threads", name -> {
            serving.set(Thread.currentThread().getName());
            return StreamProvider.bytes(Bytes.owning(new byte[1])).open(name);
        });
    }

    private CompletionStage<StreamInfo> fetch(String name) {
        return asking.fetch(address, name, StreamRange.ALL, new Gathering()).done();
    }

    private byte[] fetched(String name) throws Exception {
        Gathering sink = new Gathering();
        TestEnvs.await(asking.fetch(address, name, StreamRange.ALL, sink).done());
        return sink.bytes();
    }

    private byte[] fetchedEmpty() throws Exception {
        Files.write(served.resolve("empty"), new byte[0]);
        return fetched("files/empty");
    }

    private void assertNoRemains() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(
                    List.of(),
                    files.filter(file -> file.toString().contains(".part")).toList());
        }
    }

    private static long bulkPeers(RpcEnv env) {
        return env.snapshot().peers().stream()
                .filter(peer -> peer.lane() == Lane.BULK)
                .count();
    }

    private static byte[] bytes(int size, long seed) {
        byte[] made = new byte[size];
        new Random(seed).nextBytes(made);
        return made;
    }

    private static RpcSettings settings(boolean listening, Duration silence) {
        Duration bound = Duration.ofSeconds(5);
        return new RpcSettings(
                listening ? Optional.of(new RpcSettings.Listen("127.0.0.1", 0)) : Optional.empty(),
                RpcSecurity.NONE,
                RpcLimits.DEFAULTS,
                new RpcTimes(bound, bound, silence, silence, Duration.ofMillis(1), Duration.ofMillis(5)));
    }

    /** Collects the received bytes. */
    private static class Gathering implements StreamSink {
        private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();

        @Override
        public void received(ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            gathered.writeBytes(copy);
        }

        byte[] bytes() {
            return gathered.toByteArray();
        }
    }
}
