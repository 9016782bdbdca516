package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.rpc.RpcSecurity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any bytes yield a response or the end of the connection, without leaks, and honest clients are served. A failure
 * prints its seed.
 */
class HostileRequestsTest {
    private static final int ROUNDS = 5_000;
    private static final List<String> ORIGINALS = List.of(
            EmbeddedHttpLane.request("GET", "/a/b?c=d&e=%41"),
            EmbeddedHttpLane.request("POST", "/a", "Content-Length: 5") + "hello",
            EmbeddedHttpLane.request("PUT", "/a", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
            EmbeddedHttpLane.request("GET", "/a", "Range: bytes=1-2", "If-None-Match: \"x\"", "Accept-Encoding: gzip"),
            EmbeddedHttpLane.request("POST", "/a", "Expect: 100-continue", "Content-Length: 3") + "abc",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + EmbeddedHttpLane.request("HEAD", "/a"),
            EmbeddedHttpLane.request("OPTIONS", "*") + EmbeddedHttpLane.request("DELETE", "http://localhost/a/../b"));
    private static final List<String> PIECES = List.of(
            "\r\n",
            "\n",
            "\r\n\r\n",
            "\0",
            ":",
            " ",
            "%",
            "%2e%2e/",
            "//",
            "HTTP/1.1",
            "Content-Length: 7\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Host: x\r\n",
            "0\r\n\r\n",
            "ffffffffffffffff\r\n",
            "\u00ff",
            "\t",
            ";");

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void survivesMutation(long seed) {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        Queue<String> leaks = new ConcurrentLinkedQueue<>();
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + " of seed " + seed + ": " + records));
        TreeMap<Integer, Integer> statuses = new TreeMap<>();
        try (EmbeddedHttpLane talks = talks()) {
            Random random = new Random(seed);
            for (int round = 0; round < ROUNDS; round++) {
                EmbeddedChannel channel = talks.connect();
                ByteBuf bytes = channel.alloc().buffer(); // pooled, so that the leak detector notices a missing release
                bytes.writeCharSequence(mutated(random), StandardCharsets.ISO_8859_1);
                StringBuilder output = new StringBuilder(feed(talks, channel, bytes, random));
                if (channel.isOpen()) {
                    output.append(talks.pass(channel, Duration.ofSeconds(11)));
                }
                String answer = output.toString();
                assertTrue(
                        answer.isEmpty() || EmbeddedHttpLane.status(answer) > 0,
                        () -> "round of seed " + seed + ": " + answer);
                statuses.merge(EmbeddedHttpLane.status(answer), 1, Integer::sum);
                channel.finishAndReleaseAll();
                assertEquals(0, bytes.refCnt(), () -> "leaked, seed " + seed);
                channel.checkException();
            }
            assertEquals(0, talks.lane.counts().bodyBytes());
            assertEquals(0, talks.lane.counts().connections());
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/a")));
            System.gc(); // the next allocation reports unreachable buffers
            talks.connect().alloc().buffer().release();
            assertEquals(List.of(), List.copyOf(leaks));
        } finally {
            ByteBufUtil.setLeakListener(null);
            ResourceLeakDetector.setLevel(before);
        }
        assertTrue(statuses.getOrDefault(200, 0) > 100, () -> "the test reaches one side only: " + statuses);
        assertTrue(statuses.getOrDefault(400, 0) > 100, () -> "the test reaches one side only: " + statuses);
        assertTrue(statuses.getOrDefault(500, 0) == 0, () -> "our own mistakes: " + statuses);
    }

    @Test
    void takesRequestsByTheByte() {
        for (String original : ORIGINALS) {
            try (EmbeddedHttpLane talks = talks()) {
                EmbeddedChannel whole = talks.connect();
                EmbeddedChannel split = talks.connect();
                StringBuilder output = new StringBuilder();
                for (int i = 0; i < original.length(); i++) {
                    output.append(talks.say(split, original.substring(i, i + 1)));
                }
                String answer = output.toString().replace("HTTP/1.1 100 Continue\r\n\r\n", "");
                assertEquals(talks.say(whole, original).replace("HTTP/1.1 100 Continue\r\n\r\n", ""), answer, original);
            }
        }
    }

    private static String feed(EmbeddedHttpLane talks, EmbeddedChannel channel, ByteBuf bytes, Random random) {
        StringBuilder output = new StringBuilder();
        int parts = 1 + random.nextInt(3);
        for (int part = 1; part <= parts && channel.isOpen(); part++) {
            int length = part == parts ? bytes.readableBytes() : random.nextInt(bytes.readableBytes() + 1);
            channel.writeInbound(bytes.readRetainedSlice(length));
            output.append(talks.settle(channel));
        }
        bytes.release();
        return output.toString();
    }

    private static String mutated(Random random) {
        StringBuilder text = new StringBuilder(ORIGINALS.get(random.nextInt(ORIGINALS.size())));
        for (int change = random.nextInt(5); change > 0; change--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 2 -> text.delete(at, Math.min(text.length() - 1, at + 1 + random.nextInt(8)));
                default -> text.insert(at, ORIGINALS.get(random.nextInt(ORIGINALS.size())));
            }
        }
        return text.toString();
    }

    private static EmbeddedHttpLane talks() {
        EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE);
        talks.lane.serve(
                "/", request -> CompletableFuture.completedStage(HttpAnswer.bytes(200, "text/plain", request.body())));
        return talks;
    }
}
