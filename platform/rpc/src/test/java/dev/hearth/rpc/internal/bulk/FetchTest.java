package dev.hearth.rpc.internal.bulk;

import static dev.hearth.rpc.internal.bulk.BulkPair.MEBIBYTE;
import static dev.hearth.rpc.internal.bulk.BulkPair.await;
import static dev.hearth.rpc.internal.bulk.BulkPair.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Transfer;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fetches over loopback: ranges, names, listings, concurrency, slow readers, and faulty connections. */
class FetchTest {
    private static final int SIZE = 5 * MEBIBYTE + 4_321;
    private static final byte[] CONTENT = BulkPair.random(7, SIZE);

    @TempDir
    Path directory;

    private final BulkPair pair = new BulkPair();
    private RpcAddress address = pair.address();

    @BeforeEach
    void serveADirectory() throws Exception {
        BulkPair.file(directory, "served/some.bin", CONTENT);
        BulkPair.file(directory, "served/below/small.txt", new byte[] {1, 2, 3});
        pair.server.serve("files", StreamProvider.directory(directory.resolve("served")));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, -1",
        "0, 0",
        "0, 1",
        "1, 65535",
        "1048575, 2",
        "1048576, 1048576",
        "1048577, 1048576",
        "5247201, -1",
        "5247200, 100",
        "12345, 4000000"
    })
    void fetchesAnyPartOfAFile(long offset, long length) throws Exception {
        StreamRange range =
                new StreamRange(offset, length < 0 ? OptionalLong.empty() : OptionalLong.of(length), Optional.empty());
        CollectingSink sink = new CollectingSink();

        StreamInfo info =
                await(pair.client.fetch(address, "files/some.bin", range, sink).done());

        int end = (int) Math.min(SIZE, length < 0 ? SIZE : offset + length);
        assertEquals(SIZE, info.size());
        assertEquals(end - offset, info.length());
        assertArrayEquals(Arrays.copyOfRange(CONTENT, (int) offset, end), sink.bytes());
    }

    @Test
    void servesThroughAHandlerThatProcessesAllBytes() throws Exception {
        try (BulkPair encrypted = new BulkPair(BulkPair.TIMES, ChannelOutboundHandlerAdapter::new)) {
            encrypted.server.serve("one", StreamProvider.file(directory.resolve("served/some.bin")));
            CollectingSink sink = new CollectingSink();

            await(encrypted
                    .client
                    .fetch(encrypted.address(), "one", StreamRange.ALL, sink)
                    .done());

            assertArrayEquals(CONTENT, sink.bytes());
        }
    }

    @Test
    void servesBytesOfMemoryAndEmptyContent() throws Exception {
        pair.server.serve("memory", StreamProvider.bytes(Bytes.owning(CONTENT.clone())));
        pair.server.serve("nothing", StreamProvider.bytes(Bytes.EMPTY));
        CollectingSink sink = new CollectingSink();
        CollectingSink empty = new CollectingSink();

        await(pair.client
                .fetch(address, "memory", StreamRange.of(100, 3_000_000), sink)
                .done());
        StreamInfo nothing = await(
                pair.client.fetch(address, "nothing", StreamRange.ALL, empty).done());

        assertArrayEquals(Arrays.copyOfRange(CONTENT, 100, 3_000_100), sink.bytes());
        assertEquals(0, nothing.size());
        assertEquals(0, empty.bytes().length);
    }

    @Test
    void fetchesAThousandSmallBlocksOverFewConnections() throws Exception {
        List<CollectingSink> sinks = new ArrayList<>();
        List<Transfer> transfers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            CollectingSink sink = new CollectingSink();
            sinks.add(sink);
            transfers.add(pair.client.fetch(address, "files/some.bin", StreamRange.of(i * 5_000L, 4_000 + i), sink));
        }

        for (int i = 0; i < 1_000; i++) {
            await(transfers.get(i).done());
            assertArrayEquals(
                    Arrays.copyOfRange(CONTENT, i * 5_000, i * 5_000 + 4_000 + i),
                    sinks.get(i).bytes());
        }
        assertTrue(pair.connectionsOpened.get() <= BulkLimits.CONNECTIONS_MAX, pair.connectionsOpened.toString());
    }

    @Test
    void reportsMissingStreamsAndInvalidNames() {
        HearthException missing = failure(pair.client
                .fetch(address, "files/other.bin", StreamRange.ALL, new CollectingSink())
                .done());
        HearthException foreign = failure(pair.client
                .fetch(address, "other", StreamRange.ALL, new CollectingSink())
                .done());
        HearthException beyond = failure(pair.client
                .fetch(address, "files/some.bin", StreamRange.of(SIZE + 1L, 1), new CollectingSink())
                .done());

        assertEquals("STREAM_MISSING", missing.code());
        assertEquals("STREAM_MISSING", foreign.code());
        assertTrue(foreign.getMessage().contains("[files]"), foreign.getMessage());
        assertEquals("BAD_ARGUMENT", beyond.code());
        for (String name : List.of("", "/etc/passwd", "files/../x", "files//x", "a\0b", "files/./x", "a\\b")) {
            HearthException refused = failure(pair.client
                    .fetch(address, name, StreamRange.ALL, new CollectingSink())
                    .done());
            assertEquals("BAD_ARGUMENT", refused.code(), name);
        }
    }

    @Test
    void followsNoLinkOutOfTheDirectory() throws Exception {
        Path secret = BulkPair.file(directory, "outside/secret", new byte[] {9});
        Files.createSymbolicLink(directory.resolve("served/leads-out"), secret);
        Files.createSymbolicLink(directory.resolve("served/leads-in"), directory.resolve("served/below/small.txt"));
        Files.createSymbolicLink(directory.resolve("served/circle"), directory.resolve("served/circle"));
        CollectingSink inside = new CollectingSink();

        HearthException refused = failure(pair.client
                .fetch(address, "files/leads-out", StreamRange.ALL, new CollectingSink())
                .done());
        HearthException circle = failure(pair.client
                .fetch(address, "files/circle", StreamRange.ALL, new CollectingSink())
                .done());
        await(pair.client
                .fetch(address, "files/leads-in", StreamRange.ALL, inside)
                .done());

        assertEquals("STREAM_MISSING", refused.code());
        assertEquals("STREAM_MISSING", circle.code());
        assertArrayEquals(new byte[] {1, 2, 3}, inside.bytes());
        assertEquals(
                List.of("below", "leads-in", "some.bin"),
                await(pair.client.list(address, "files")).stream()
                        .map(StreamEntry::name)
                        .toList());
    }

    @Test
    void listsDirectoriesInTheOrderOfTheirNames() throws Exception {
        assertEquals(
                List.of(new StreamEntry("below", true, 0), new StreamEntry("some.bin", false, SIZE)),
                await(pair.client.list(address, "files/")));
        assertEquals(List.of(new StreamEntry("small.txt", false, 3)), await(pair.client.list(address, "files/below")));
        assertEquals(
                "STREAM_MISSING",
                failure(pair.client.list(address, "files/none")).code());
        assertEquals(
                "STREAM_MISSING",
                failure(pair.client.list(address, "files/some.bin")).code());
    }

    @Test
    void stopsServingWhenTheRegistrationIsClosed() throws Exception {
        Registration registration = pair.server.serve("files/below", StreamProvider.bytes(Bytes.owning(new byte[1])));
        assertThrows(
                IllegalStateException.class, () -> pair.server.serve("files/below", StreamProvider.bytes(Bytes.EMPTY)));
        CollectingSink longest = new CollectingSink();
        await(pair.client
                .fetch(address, "files/below", StreamRange.ALL, longest)
                .done());
        assertEquals(1, longest.bytes().length);

        registration.close();

        assertEquals(
                "STREAM_MISSING",
                failure(pair.client
                                .fetch(address, "files/below", StreamRange.ALL, new CollectingSink())
                                .done())
                        .code());
        assertEquals(1, await(pair.client.list(address, "files/below")).size());
    }

    @Test
    void reportsChangedContent() throws Exception {
        StreamInfo before = await(pair.client
                .fetch(address, "files/below/small.txt", StreamRange.ALL, new CollectingSink())
                .done());
        BulkPair.file(directory, "served/below/small.txt", new byte[] {4, 5, 6, 7});

        HearthException changed = failure(pair.client
                .fetch(address, "files/below/small.txt", StreamRange.rest(1, before.tag()), new CollectingSink())
                .done());

        assertEquals("STREAM_CHANGED", changed.code());
    }

    @Test
    void deliversNoCorruptBytes() throws Exception {
        try (FaultyProxy way = new FaultyProxy(address, ProxyFault.flip(3L * MEBIBYTE))) {
            CollectingSink sink = new CollectingSink();

            HearthException damaged = failure(pair.client
                    .fetch(way.address(), "files/some.bin", StreamRange.ALL, sink)
                    .done());

            assertEquals("STREAM_DAMAGED", damaged.code());
            assertTrue(
                    damaged.getMessage().contains("files/some.bin")
                            && damaged.getMessage().contains(way.address().toString())
                            && damaged.getMessage().contains(String.valueOf(3 * MEBIBYTE - BulkLimits.PIECE_BYTES)),
                    damaged.getMessage());
            assertArrayEquals(Arrays.copyOf(CONTENT, 3 * MEBIBYTE - BulkLimits.PIECE_BYTES), sink.bytes());
        }
    }

    @Test
    void reportsTheProgressWhenTheConnectionIsCut() throws Exception {
        try (FaultyProxy way = new FaultyProxy(address, ProxyFault.cut(2L * MEBIBYTE))) {
            CollectingSink sink = new CollectingSink();

            HearthException lost = failure(pair.client
                    .fetch(way.address(), "files/some.bin", StreamRange.ALL, sink)
                    .done());

            assertEquals("PEER_LOST", lost.code());
            assertTrue(
                    lost.getMessage().contains(2 * MEBIBYTE - BulkLimits.PIECE_BYTES + " of " + SIZE + " bytes"),
                    lost.getMessage());
            assertArrayEquals(Arrays.copyOf(CONTENT, 2 * MEBIBYTE - BulkLimits.PIECE_BYTES), sink.bytes());
        }
    }

    @Test
    void retriesWhenAConnectionIsLostBeforeTheAnswer() throws Exception {
        try (FaultyProxy way = new FaultyProxy(address, ProxyFault.cut(0), ProxyFault.cut(0))) {
            CollectingSink sink = new CollectingSink();

            await(pair.client
                    .fetch(way.address(), "files/below/small.txt", StreamRange.ALL, sink)
                    .done());

            assertArrayEquals(new byte[] {1, 2, 3}, sink.bytes());
            assertEquals(3, way.connections());
        }
    }

    @Test
    void givesUpOnASilentPeerAndSaysHowLongItWaited() throws Exception {
        BulkTimeouts impatient = new BulkTimeouts(
                Duration.ofMillis(200),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofMillis(5),
                Duration.ofMillis(20));
        try (BulkPair waiting = new BulkPair(impatient);
                FaultyProxy way = new FaultyProxy(address, ProxyFault.stall(MEBIBYTE + 500_000L))) {
            HearthException silent = failure(waiting.client
                    .fetch(way.address(), "files/some.bin", StreamRange.ALL, new CollectingSink())
                    .done());

            assertEquals("PEER_LOST", silent.code());
            assertTrue(
                    silent.getMessage()
                            .matches("(?s).*files/some.bin.* after " + (MEBIBYTE + BulkLimits.PIECE_BYTES)
                                    + " of.*no byte for \\d+ ms.*"),
                    silent.getMessage());
        }
    }

    @Test
    void letsOthersPassAPausedTransfer() throws Exception {
        CollectingSink slow = new CollectingSink();
        List<Transfer> paused = new ArrayList<>();
        for (int i = 0; i < 5; i++) { // more than the initial number of connections
            Transfer transfer = pair.client.fetch(address, "files/some.bin", StreamRange.ALL, slow);
            transfer.pause();
            paused.add(transfer);
        }
        List<Transfer> pausedBlocks = new ArrayList<>();
        List<CollectingSink> blocks = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            CollectingSink block = new CollectingSink();
            blocks.add(block);
            Transfer transfer = pair.client.fetch(address, "files/some.bin", StreamRange.of(i, 1_000), block);
            if (i % 10 == 3) {
                transfer.pause();
                pausedBlocks.add(transfer);
            } else {
                paused.add(transfer);
            }
        }
        CollectingSink whole = new CollectingSink();

        await(pair.client
                .fetch(address, "files/some.bin", StreamRange.ALL, whole)
                .done());
        for (Transfer block : paused.subList(5, paused.size())) {
            await(block.done());
        }
        assertArrayEquals(CONTENT, whole.bytes());
        pausedBlocks.forEach(Transfer::resume);
        for (Transfer block : pausedBlocks) {
            await(block.done());
        }
        for (int i = 0; i < 40; i++) {
            assertArrayEquals(
                    Arrays.copyOfRange(CONTENT, i, i + 1_000), blocks.get(i).bytes());
        }
        for (Transfer transfer : paused.subList(0, 5)) {
            assertFalse(transfer.done().toCompletableFuture().isDone());
            transfer.resume();
            await(transfer.done());
        }
        assertEquals(5 * SIZE, slow.bytes().length);
    }

    @Test
    void refusesMoreWhenPausedTransfersHoldAllConnections() throws Exception {
        List<Transfer> paused = new ArrayList<>();
        for (int i = 0; i < BulkLimits.CONNECTIONS_WITH_PAUSED_MAX; i++) {
            Transfer transfer = pair.client.fetch(address, "files/some.bin", StreamRange.ALL, new CollectingSink());
            transfer.pause();
            paused.add(transfer);
        }
        HearthException refused = failure(pair.client
                .fetch(address, "files/some.bin", StreamRange.ALL, new CollectingSink())
                .done());
        assertEquals("TOO_MANY_ASKS", refused.code());

        paused.get(0).resume();
        await(paused.get(0).done());
        await(pair.client
                .fetch(address, "files/some.bin", StreamRange.ALL, new CollectingSink())
                .done());
    }

    @Test
    void failsWhenOnlyPausedTransfersHaveAConnectionAndNoOtherCanBeMade() throws Exception {
        CompletableFuture<Transfer> assigned = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Transfer paused = pair.client.fetch(address, "files/some.bin", StreamRange.ALL, new StreamSink() {
            @Override
            public void opened(StreamInfo info) {
                assigned.join().pause();
                begun.countDown();
            }

            @Override
            public void received(ByteBuffer bytes) {
                bytes.position(bytes.limit());
            }
        });
        assigned.complete(paused);
        assertTrue(begun.await(BulkPair.BOUND.toSeconds(), TimeUnit.SECONDS));
        pair.stopListening();

        HearthException refused = failure(pair.client
                .fetch(address, "files/some.bin", StreamRange.ALL, new CollectingSink())
                .done());

        assertEquals("PEER_UNREACHABLE", refused.code());
        paused.abort();
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // threads that end by themselves
    void keepsOneTimerPerConnectionHoweverManyFetchesThereAre() throws Exception {
        AtomicInteger timers = new AtomicInteger();
        SingleThreadEventExecutor home =
                new SingleThreadEventExecutor(null, new DefaultThreadFactory("home", true), true) {
                    @Override
                    protected void run() {
                        while (!confirmShutdown()) {
                            Runnable task = takeTask();
                            if (task != null) {
                                task.run();
                            }
                        }
                    }

                    @Override
                    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
                        timers.incrementAndGet();
                        return super.schedule(command, delay, unit);
                    }
                };
        BulkServices services = new BulkServices(
                BulkPair.TIMES, new PieceChecksumCache(Ticker.system()), Runnable::run, Ticker.system(), () -> 1L);
        BulkConnectionPool connections = new BulkConnectionPool(pair::connect, services, home);
        try {
            for (int i = 0; i < 50; i++) {
                StreamRange range = StreamRange.of(i, 100);
                FetchExchange fetch = new FetchExchange(
                        address, new BulkRequest.Fetch("files/some.bin", range), range, new CollectingSink());
                connections.submit(fetch);
                await(fetch.done());
            }
            assertTrue(timers.get() <= BulkLimits.CONNECTIONS_MAX, "timers: " + timers);
        } finally {
            connections.close();
            home.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @Test
    void keepsLittleForASlowReader() throws Exception {
        Path large = directory.resolve("served/large.bin");
        try (var file = Files.newByteChannel(large, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.position(512L * MEBIBYTE - 1).write(ByteBuffer.wrap(new byte[1]));
        }
        CountDownLatch begun = new CountDownLatch(1);
        Transfer[] slow = new Transfer[1];
        CountDownLatch assigned = new CountDownLatch(1);
        slow[0] = pair.client.fetch(address, "files/large.bin", StreamRange.ALL, new StreamSink() {
            @Override
            public void received(ByteBuffer bytes) throws IOException {
                try {
                    assigned.await();
                } catch (InterruptedException impossible) {
                    throw new IOException(impossible);
                }
                slow[0].pause();
                begun.countDown();
            }
        });
        assigned.countDown();
        assertTrue(begun.await(30, TimeUnit.SECONDS));

        CollectingSink other = new CollectingSink();
        await(pair.client
                .fetch(address, "files/some.bin", StreamRange.ALL, other)
                .done());

        assertArrayEquals(CONTENT, other.bytes());
        for (BulkSnapshot connection : pair.server.snapshots()) {
            assertTrue(
                    connection.bytesQueued() <= BulkLimits.QUEUED_BYTES_MAX + BulkLimits.PIECE_BYTES,
                    connection.toString());
        }
        slow[0].abort();
        assertEquals("TRANSFER_ABORTED", failure(slow[0].done()).code());
    }

    @Test
    void endsATransferWhoseReaderTakesNothing() throws Exception {
        BulkTimeouts shortPause = new BulkTimeouts(
                Duration.ofSeconds(20),
                Duration.ofMillis(200),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofMillis(5),
                Duration.ofMillis(20));
        Path large = directory.resolve("large.bin");
        try (var file = Files.newByteChannel(large, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.position(64L * MEBIBYTE - 1).write(ByteBuffer.wrap(new byte[1]));
        }
        try (BulkPair strict = new BulkPair(shortPause, BulkPair.TIMES)) {
            strict.server.serve("large", StreamProvider.file(large));
            CollectingSink sink = new CollectingSink();
            Transfer transfer = strict.client.fetch(strict.address(), "large", StreamRange.ALL, sink);
            await(sink.first);
            transfer.pause();
            CountDownLatch gone = new CountDownLatch(1);
            Thread watch = new Thread(() -> {
                while (!strict.server.snapshots().isEmpty()) {
                    Thread.onSpinWait();
                }
                gone.countDown();
            });
            watch.setDaemon(true);
            watch.start();
            assertTrue(gone.await(30, TimeUnit.SECONDS), "the server lets go of it");

            transfer.resume();

            assertEquals("PEER_LOST", failure(transfer.done()).code());
        }
    }

    @Test
    void endsWithASinkThatFailsAndServesTheNext() throws Exception {
        HearthException full = failure(pair.client
                .fetch(address, "files/some.bin", StreamRange.ALL, bytes -> {
                    throw new IOException("No space left on device");
                })
                .done());
        HearthException broken = failure(pair.client
                .fetch(address, "files/some.bin", StreamRange.of(0, 10), bytes -> {
                    throw new IllegalStateException("broken");
                })
                .done());
        CollectingSink next = new CollectingSink();
        await(pair.client
                .fetch(address, "files/some.bin", StreamRange.of(5, 10), next)
                .done());

        assertEquals("DISK_FAILED", full.code());
        assertTrue(full.getMessage().contains("No space left"), full.getMessage());
        assertEquals("INTERNAL", broken.code());
        assertArrayEquals(Arrays.copyOfRange(CONTENT, 5, 15), next.bytes());
    }

    @Test
    void failsWhatIsUnderWayWhenTheScopeCloses() throws Exception {
        CollectingSink sink = new CollectingSink();
        Transfer transfer = pair.client.fetch(address, "files/some.bin", StreamRange.ALL, sink);
        transfer.pause();

        pair.client.close();

        assertEquals("PEER_LOST", failure(transfer.done()).code());
        assertEquals(
                "PEER_LOST",
                failure(pair.client
                                .fetch(address, "files/some.bin", StreamRange.ALL, sink)
                                .done())
                        .code());
    }

    @Test
    void failsWhenNoProcessListens() {
        pair.server.close();
        RpcAddress nobody = new RpcAddress("127.0.0.1", 1);

        HearthException unreachable = failure(pair.client
                .fetch(nobody, "files/some.bin", StreamRange.ALL, new CollectingSink())
                .done());

        assertEquals("PEER_UNREACHABLE", unreachable.code());
    }
}
