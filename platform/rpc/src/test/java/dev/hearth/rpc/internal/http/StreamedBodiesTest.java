package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.BodySource;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.RpcSecurity;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bodies that a handler produces while the client reads: pace, end, failure, and clients that leave. */
class StreamedBodiesTest {
    private static final int PIECE_BYTES = 64 * 1024;
    private static final long BODY_PIECES = 2_000;

    /** Source whose pieces a test completes by hand. */
    private static final class ManualSource implements BodySource {
        private final Deque<CompletableFuture<Optional<Bytes>>> asked = new ArrayDeque<>();
        private int closed;

        @Override
        public CompletionStage<Optional<Bytes>> next() {
            CompletableFuture<Optional<Bytes>> piece = new CompletableFuture<>();
            asked.add(piece);
            return piece;
        }

        @Override
        public void close() {
            closed++;
        }

        void piece(String text) {
            asked.remove().complete(Optional.of(Bytes.owning(text.getBytes(StandardCharsets.US_ASCII))));
        }
    }

    private final ManualSource source = new ManualSource();

    @Test
    void sendsPiecesAsTheyCome() {
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE)) {
            EmbeddedChannel client = begin(talks, "GET", "HTTP/1.1");
            String head = talks.settle(client);
            assertEquals(Optional.of("chunked"), EmbeddedHttpLane.header(head, "transfer-encoding"));
            assertEquals(Optional.of("no-store"), EmbeddedHttpLane.header(head, "cache-control"));
            assertEquals(Optional.empty(), EmbeddedHttpLane.header(head, "content-length"));
            assertEquals(1, source.asked.size(), "one piece is asked for at a time");
            source.piece("one");
            assertEquals("3\r\none\r\n", talks.settle(client));
            source.piece("");
            assertEquals("", talks.settle(client));
            source.piece("two");
            assertEquals("3\r\ntwo\r\n", talks.settle(client));
            assertEquals(0, source.closed);
            source.asked.remove().complete(Optional.empty());
            assertEquals("0\r\n\r\n", talks.settle(client));
            assertEquals(1, source.closed);
            assertFalse(client.isOpen());
            assertEquals(0, talks.lane.counts().responseBytes());
        }
    }

    @Test
    void breaksTheConnectionWhenTheSourceFails() {
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE)) {
            EmbeddedChannel client = begin(talks, "GET", "HTTP/1.1");
            talks.settle(client);
            source.piece("one");
            talks.settle(client);
            source.asked.remove().completeExceptionally(new IOException("planted"));
            assertEquals("", talks.settle(client), "no end, so that the client notices");
            assertFalse(client.isOpen());
            assertEquals(1, source.closed);
        }
    }

    @Test
    void closesTheSourceOfAClientThatLeaves() {
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE)) {
            EmbeddedChannel client = begin(talks, "GET", "HTTP/1.1");
            talks.settle(client);
            assertTrue(client.close().isSuccess());
            talks.settle(client);
            assertEquals(1, source.closed);
            source.piece("late");
            talks.settle(client);
            assertEquals(0, talks.lane.counts().responseBytes());
        }
    }

    @Test
    void sendsTheHeadAlone() {
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE)) {
            String answer = talks.settle(begin(talks, "HEAD", "HTTP/1.1"));
            assertEquals(200, EmbeddedHttpLane.status(answer));
            assertEquals("", EmbeddedHttpLane.body(answer));
            assertEquals(0, source.asked.size());
            assertEquals(1, source.closed);
        }
    }

    @Test
    void endsWithTheConnectionForOldClients() {
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE)) {
            EmbeddedChannel client = begin(talks, "GET", "HTTP/1.0");
            String head = talks.settle(client);
            assertEquals(Optional.empty(), EmbeddedHttpLane.header(head, "transfer-encoding"));
            source.piece("one");
            assertEquals("one", talks.settle(client));
            source.asked.remove().complete(Optional.empty());
            assertEquals("", talks.settle(client));
            assertFalse(client.isOpen());
        }
    }

    @Test
    void refusesAnAnswerThatBreaksTheRulesAndClosesItsSource() {
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE)) {
            talks.lane.serve(
                    "/bad",
                    request -> CompletableFuture.completedStage(
                            HttpAnswer.stream("text/plain", source).with("Content-Length", "3")));
            assertEquals(500, EmbeddedHttpLane.status(talks.get("/bad")));
            assertEquals(1, source.closed);
        }
    }

    @Test
    void readsNoFasterThanTheClient() throws Exception {
        AtomicInteger pieces = new AtomicInteger();
        CountDownLatch closed = new CountDownLatch(2);
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty())) {
            server.lane.serve(
                    "/long",
                    request -> CompletableFuture.completedStage(
                            HttpAnswer.stream("application/octet-stream", counted(pieces, closed))));
            try (Socket idle = server.connect()) {
                LoopbackServer.say(idle, EmbeddedHttpLane.request("GET", "/long"));
                assertEquals('H', idle.getInputStream().read());
                try (Socket client = server.connect()) { // takes all of its own body meanwhile
                    LoopbackServer.say(client, EmbeddedHttpLane.request("GET", "/long"));
                    long bytes = client.getInputStream().transferTo(OutputStream.nullOutputStream());
                    assertTrue(bytes > BODY_PIECES * PIECE_BYTES, () -> bytes + " bytes");
                }
                assertTrue(
                        pieces.get() < BODY_PIECES + BODY_PIECES / 2,
                        () -> pieces.get() + " pieces, though one client reads nothing");
                assertTrue(server.lane.counts().responseBytes() <= 4L * StreamPieces.HELD_BYTES);
            }
            assertTrue(closed.await(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS), "a source is left open");
        }
    }

    private static BodySource counted(AtomicInteger pieces, CountDownLatch closed) {
        BodySource bytes = BodySource.of(new InputStream() {
            private long left = BODY_PIECES * PIECE_BYTES;

            @Override
            public int read() {
                return left-- > 0 ? 1 : -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                int some = (int) Math.min(left, length);
                left -= some;
                return some == 0 && length > 0 ? -1 : some;
            }
        });
        return new BodySource() {
            @Override
            public CompletionStage<Optional<Bytes>> next() {
                pieces.incrementAndGet();
                return bytes.next();
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
    }

    @Test
    void readsStreamsInPieces() throws Exception {
        byte[] content = new byte[PIECE_BYTES + 1];
        BodySource body = BodySource.of(new ByteArrayInputStream(content));
        assertEquals(PIECE_BYTES, next(body).orElseThrow().size());
        assertEquals(1, next(body).orElseThrow().size());
        assertEquals(Optional.empty(), next(body));
        body.close();
    }

    private static Optional<Bytes> next(BodySource body) throws Exception {
        return body.next().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private EmbeddedChannel begin(EmbeddedHttpLane talks, String method, String version) {
        talks.lane.serve(
                "/stream", request -> CompletableFuture.completedStage(HttpAnswer.stream("text/plain", source)));
        EmbeddedChannel client = talks.connect();
        client.writeInbound(Unpooled.copiedBuffer(
                EmbeddedHttpLane.request(method, "/stream").replace("HTTP/1.1", version), StandardCharsets.US_ASCII));
        return client;
    }
}
