package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mutated requests and responses: no crash, no leaked buffer, no corrupt byte delivered. A failure prints its seed. */
@SuppressWarnings("FutureReturnValueIgnored") // an embedded channel closes at once
class HostileBulkBytesTest {
    private static final int MUTATIONS = 25_000;
    private static final long SEED = 20_261_118L;
    private static final byte[] SMALL = BulkPair.random(3, 5_000);
    private static final BulkServices SERVICES = new BulkServices(
            BulkPair.TIMES, new PieceChecksumCache(Ticker.system()), Runnable::run, Ticker.system(), () -> 1L);

    @TempDir
    Path directory;

    @Test
    void survivesAnyRequest() throws Exception {
        ContentStore store = new DirectoryContentStores().open(directory, 1 << 20);
        ServedStreams served = new ServedStreams();
        served.serve("a", StreamProvider.bytes(Bytes.owning(SMALL)));
        served.accept(store);
        Path file = BulkPair.file(directory, "content", SMALL);
        ContentId content = ContentId.of(file);
        ByteBuf honest = Unpooled.buffer();
        put(honest, new BulkRequest.Fetch("a", StreamRange.of(10, 500)));
        put(honest, new BulkRequest.Fetch("a", StreamRange.rest(10, "x")));
        put(honest, new BulkRequest.Listing("a"));
        put(honest, new BulkRequest.Offer(content, SMALL.length));
        putChunk(honest, SMALL, 0, 3_000);
        putChunk(honest, SMALL, 3_000, 2_000);
        byte[] whole = bytes(honest);
        int closed = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Random random = new Random(SEED + i);
            UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
            EmbeddedChannel channel = new EmbeddedChannel();
            channel.config().setAllocator(allocator);
            BulkServerConnection connection =
                    new BulkServerConnection("test", "fuzz " + i, served, SERVICES, new NoOwner());
            channel.pipeline().addLast(connection);
            closed += feed(channel, allocator, mutated(whole, random), random) ? 0 : 1;
            end(channel, allocator, "request of seed " + (SEED + i));
            store.remove(content);
        }
        assertTrue(closed > MUTATIONS / 10, closed + " connections were closed");
        store.close();
    }

    @Test
    void survivesAnyAnswer() throws Exception {
        ByteBuf honest = Unpooled.buffer();
        StreamInfo info = new StreamInfo(SMALL.length, "tag", 0, SMALL.length);
        put(honest, BulkFrameKind.ANSWER, BulkWireFormat.answer(info));
        putChunk(honest, SMALL, 0, 3_000);
        putChunk(honest, SMALL, 3_000, 2_000);
        put(honest, BulkFrameKind.END, new byte[0]);
        put(
                honest,
                BulkFrameKind.FAILURE,
                BulkFailure.of("request", new IllegalStateException("no")).body());
        byte[] whole = bytes(honest);
        int complete = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Random random = new Random(SEED + i);
            UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
            EmbeddedChannel channel = new EmbeddedChannel();
            channel.config().setAllocator(allocator);
            CollectingSink sink = new CollectingSink();
            BulkClientConnection connection = new BulkClientConnection(channel, "fuzz", SERVICES, new Refusing());
            channel.pipeline().addLast(connection);
            FetchExchange first = fetch(sink);
            FetchExchange second = fetch(new CollectingSink());
            connection.send(first);
            connection.send(second);
            channel.runPendingTasks();
            feed(channel, allocator, mutated(whole, random), random);
            end(channel, allocator, "answer of seed " + (SEED + i));
            assertTrue(first.isDone() && second.isDone(), "seed " + (SEED + i));
            byte[] got = sink.bytes();
            assertEquals(
                    -1,
                    Arrays.mismatch(got, Arrays.copyOf(SMALL, got.length)),
                    "a byte that was not sent, seed " + (SEED + i));
            complete += got.length == SMALL.length ? 1 : 0;
        }
        assertTrue(complete > 0 && complete < MUTATIONS, complete + " complete");
    }

    @Test
    void readsNoListingThatIsNone() throws Exception {
        List<StreamEntry> entries = List.of(new StreamEntry("a", true, 0), new StreamEntry("\u00e4\u00f6", false, 77));
        byte[] encoded = BulkWireFormat.entries(entries);
        assertEquals(
                entries, BulkWireFormat.parse(BulkFrameKind.LIST, ByteBuffer.wrap(encoded), BulkWireFormat::entries));
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            try {
                byte[] bytes = mutated(encoded, new Random(SEED + i));
                assertTrue(BulkWireFormat.parse(BulkFrameKind.LIST, ByteBuffer.wrap(bytes), BulkWireFormat::entries)
                                .size()
                        <= bytes.length);
            } catch (MalformedFrame expected) {
                refused++;
            }
        }
        assertTrue(refused > MUTATIONS / 10, refused + " refused");
    }

    private static FetchExchange fetch(CollectingSink sink) {
        return new FetchExchange(
                new RpcAddress("127.0.0.1", 1), new BulkRequest.Fetch("a", StreamRange.ALL), StreamRange.ALL, sink);
    }

    /** Whether the channel is still open after it received all bytes, in parts. */
    private static boolean feed(
            EmbeddedChannel channel, UnpooledByteBufAllocator allocator, byte[] bytes, Random random) {
        for (int at = 0; at < bytes.length && channel.isOpen(); ) {
            int length = Math.min(bytes.length - at, 1 + random.nextInt(2_000));
            channel.writeInbound(allocator.buffer(length).writeBytes(bytes, at, length));
            channel.runPendingTasks();
            at += length;
        }
        return channel.isOpen();
    }

    private static void end(EmbeddedChannel channel, UnpooledByteBufAllocator allocator, String subject) {
        channel.close();
        channel.runPendingTasks();
        for (Object out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            ReferenceCountUtil.release(out);
        }
        channel.checkException();
        channel.finishAndReleaseAll();
        assertFalse(channel.isOpen());
        assertEquals(0, allocator.metric().usedHeapMemory(), subject);
        assertEquals(0, allocator.metric().usedDirectMemory(), subject);
    }

    /** Flips, cuts, duplicates and drops bytes; most remain, so that later frames are reached. */
    private static byte[] mutated(byte[] honest, Random random) {
        byte[] bytes = honest.clone();
        int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(random.nextBoolean() ? Math.min(200, bytes.length) : bytes.length);
            bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ 1 << random.nextInt(8));
        }
        if (random.nextInt(4) == 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        if (random.nextInt(4) == 0) {
            int from = random.nextInt(bytes.length + 1);
            bytes = Arrays.copyOfRange(bytes, from, bytes.length);
        }
        return bytes;
    }

    private static void put(ByteBuf out, BulkRequest request) {
        put(out, request.kind(), request.body());
    }

    private static void put(ByteBuf out, BulkFrameKind kind, byte[] body) {
        kind.begin(out, body.length).writeBytes(body);
    }

    private static void putChunk(ByteBuf out, byte[] content, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(content, from, length);
        BulkFrameKind.CHUNK.begin(out, length).writeInt((int) crc.getValue()).writeBytes(content, from, length);
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    private static final class NoOwner implements BulkConnection.Owner {
        @Override
        public void opened(BulkConnection connection) {
            // the test holds it
        }

        @Override
        public void closed(BulkConnection connection) {
            // the test holds it
        }
    }

    /** Has no other connection for retries. */
    private static final class Refusing implements BulkClientConnection.Owner {
        @Override
        public void freed(BulkClientConnection connection) {
            // gets no more work
        }

        @Override
        public void paused(BulkClientConnection connection, boolean paused) {
            throw new AssertionError("paused " + paused + " (expected: nothing was paused)");
        }

        @Override
        public void retry(BulkClientConnection connection, BulkExchange exchange) {
            exchange.fail(ErrorCode.PEER_LOST.failure("lost"));
        }

        @Override
        public void closed(BulkClientConnection connection) {
            // expected
        }
    }
}
