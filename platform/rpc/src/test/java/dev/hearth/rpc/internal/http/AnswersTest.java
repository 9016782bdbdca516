package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.rpc.RpcSecurity;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Features that the server adds to responses: tags, ranges, compression, dates, and security headers. */
class AnswersTest {
    private static final String LONG = "0123456789".repeat(500);

    @TempDir
    private Path directory;

    private final EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE);

    @AfterEach
    void close() {
        talks.close();
    }

    @Test
    void setsServerAndSecurityHeaders() {
        serve("/page", HttpAnswer.html(200, "<p>"));
        serve("/own", HttpAnswer.html(200, "<p>").with("content-security-policy", "default-src 'none'"));
        serve("/text", HttpAnswer.text(200, "x"));
        String page = talks.get("/page");
        assertEquals(Optional.of("Hearth"), EmbeddedHttpLane.header(page, "server"));
        assertEquals(Optional.of("Thu, 01 Jan 1970 00:00:00 GMT"), EmbeddedHttpLane.header(page, "date"));
        assertEquals(Optional.of("nosniff"), EmbeddedHttpLane.header(page, "x-content-type-options"));
        assertEquals(Optional.of("SAMEORIGIN"), EmbeddedHttpLane.header(page, "x-frame-options"));
        assertEquals(Optional.of("same-origin"), EmbeddedHttpLane.header(page, "referrer-policy"));
        assertTrue(EmbeddedHttpLane.header(page, "content-security-policy")
                .orElseThrow()
                .startsWith("default-src 'self'"));
        assertEquals(
                Optional.of("default-src 'none'"),
                EmbeddedHttpLane.header(talks.get("/own"), "content-security-policy"));
        assertEquals(Optional.empty(), EmbeddedHttpLane.header(talks.get("/text"), "content-security-policy"));
    }

    @Test
    void tagsAnswersByTheirContent() {
        serve("/a", HttpAnswer.text(200, "same"));
        serve("/b", HttpAnswer.text(200, "other"));
        String first = talks.get("/a");
        String tag = EmbeddedHttpLane.header(first, "etag").orElseThrow();
        assertNotEquals(tag, EmbeddedHttpLane.header(talks.get("/b"), "etag").orElseThrow());
        for (String known : new String[] {tag, "W/" + tag, "\"x\", " + tag, "*"}) {
            String again = talks.get("/a", "If-None-Match: " + known);
            assertEquals(304, EmbeddedHttpLane.status(again), known);
            assertEquals("", EmbeddedHttpLane.body(again));
            assertEquals(Optional.of(tag), EmbeddedHttpLane.header(again, "etag"));
            assertEquals(Optional.empty(), EmbeddedHttpLane.header(again, "content-length"));
        }
        assertEquals(200, EmbeddedHttpLane.status(talks.get("/a", "If-None-Match: \"x\"")));
    }

    @Test
    void sendsSingleRanges() {
        serve("/a", HttpAnswer.text(200, "0123456789"));
        String part = talks.get("/a", "Range: bytes=2-4");
        assertEquals(206, EmbeddedHttpLane.status(part));
        assertEquals("234", EmbeddedHttpLane.body(part));
        assertEquals(Optional.of("bytes 2-4/10"), EmbeddedHttpLane.header(part, "content-range"));
        String none = talks.get("/a", "Range: bytes=10-");
        assertEquals(416, EmbeddedHttpLane.status(none));
        assertEquals(Optional.of("bytes */10"), EmbeddedHttpLane.header(none, "content-range"));
        assertEquals("0123456789", EmbeddedHttpLane.body(talks.get("/a", "Range: bytes=0-1,3-4")));
        String tag = EmbeddedHttpLane.header(part, "etag").orElseThrow();
        assertEquals(206, EmbeddedHttpLane.status(talks.get("/a", "Range: bytes=2-4", "If-Range: " + tag)));
        assertEquals(200, EmbeddedHttpLane.status(talks.get("/a", "Range: bytes=2-4", "If-Range: \"other\"")));
        assertEquals(200, EmbeddedHttpLane.status(talks.get("/a", "Range: bytes=2-4", "If-Range: W/" + tag)));
    }

    @Test
    void compressesLargeTextForClientsThatAcceptIt() throws IOException {
        serve("/long", HttpAnswer.text(200, LONG));
        serve("/short", HttpAnswer.text(200, "short"));
        serve("/image", HttpAnswer.text(200, "image/png", LONG));
        serve("/done", HttpAnswer.text(200, LONG).with("Content-Encoding", "br"));
        String zipped = talks.get("/long", "Accept-Encoding: br, gzip;q=0.8");
        assertEquals(Optional.of("gzip"), EmbeddedHttpLane.header(zipped, "content-encoding"));
        assertEquals(Optional.of("Accept-Encoding"), EmbeddedHttpLane.header(zipped, "vary"));
        assertEquals(LONG, unzipped(EmbeddedHttpLane.body(zipped)));
        String plain = talks.get("/long");
        assertEquals(LONG, EmbeddedHttpLane.body(plain));
        String tag = EmbeddedHttpLane.header(zipped, "etag").orElseThrow();
        assertNotEquals(EmbeddedHttpLane.header(plain, "etag").orElseThrow(), tag);
        assertEquals(
                304, EmbeddedHttpLane.status(talks.get("/long", "Accept-Encoding: gzip", "If-None-Match: " + tag)));
        for (String header : new String[] {"gzip;q=0", "identity", "br", "gzip;q=0.000"}) {
            assertEquals(LONG, EmbeddedHttpLane.body(talks.get("/long", "Accept-Encoding: " + header)), header);
        }
        assertEquals("short", EmbeddedHttpLane.body(talks.get("/short", "Accept-Encoding: gzip")));
        assertEquals(LONG, EmbeddedHttpLane.body(talks.get("/image", "Accept-Encoding: gzip")));
        assertEquals(LONG, EmbeddedHttpLane.body(talks.get("/done", "Accept-Encoding: gzip")));
        assertEquals("01", EmbeddedHttpLane.body(talks.get("/long", "Accept-Encoding: gzip", "Range: bytes=0-1")));
    }

    @Test
    void sendsFilesWithTagsDatesAndRanges() throws IOException {
        Path file = file("a.bin", LONG);
        serve("/f", HttpAnswer.file("application/octet-stream", file));
        String whole = talks.get("/f");
        assertEquals(LONG, EmbeddedHttpLane.body(whole));
        String tag = EmbeddedHttpLane.header(whole, "etag").orElseThrow();
        String date = EmbeddedHttpLane.header(whole, "last-modified").orElseThrow();
        assertEquals(304, EmbeddedHttpLane.status(talks.get("/f", "If-None-Match: " + tag)));
        assertEquals(304, EmbeddedHttpLane.status(talks.get("/f", "If-Modified-Since: " + date)));
        assertEquals(
                200, EmbeddedHttpLane.status(talks.get("/f", "If-Modified-Since: " + date, "If-None-Match: \"x\"")));
        assertEquals(LONG.substring(4_990), EmbeddedHttpLane.body(talks.get("/f", "Range: bytes=-10")));
        assertEquals("12", EmbeddedHttpLane.body(talks.get("/f", "Range: bytes=1-2", "If-Range: " + date)));
        assertEquals(416, EmbeddedHttpLane.status(talks.get("/f", "Range: bytes=5000-")));
        String head = talks.once(EmbeddedHttpLane.request("HEAD", "/f"));
        assertEquals(Optional.of("5000"), EmbeddedHttpLane.header(head, "content-length"));
        assertEquals("", EmbeddedHttpLane.body(head));
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2031-01-02T03:04:05Z")));
        assertNotEquals(tag, EmbeddedHttpLane.header(talks.get("/f"), "etag").orElseThrow());
    }

    @Test
    void sendsFilesInPiecesWhereSomethingEncrypts() throws IOException {
        String content = LONG.repeat(40); // more than two chunks
        serve("/f", HttpAnswer.file("application/octet-stream", file("b.bin", content)));
        EmbeddedChannel channel = talks.connect(true);
        assertEquals(content, EmbeddedHttpLane.body(talks.say(channel, EmbeddedHttpLane.request("GET", "/f"))));
        String part = talks.say(channel, EmbeddedHttpLane.request("GET", "/f", "Range: bytes=70000-150000"));
        assertEquals(content.substring(70_000, 150_001), EmbeddedHttpLane.body(part));
    }

    @Test
    void compressesSmallFilesOfText() throws IOException {
        serve("/f", HttpAnswer.file("text/css", file("c.css", LONG)));
        String zipped = talks.get("/f", "Accept-Encoding: gzip");
        assertEquals(LONG, unzipped(EmbeddedHttpLane.body(zipped)));
        assertTrue(EmbeddedHttpLane.header(zipped, "etag").orElseThrow().endsWith("-gzip\""));
    }

    @Test
    void answersMissingFilesWith404() throws IOException {
        serve("/gone", HttpAnswer.file("text/plain", directory.resolve("none")));
        serve("/directory", HttpAnswer.file("text/plain", directory));
        assertEquals(404, EmbeddedHttpLane.status(talks.get("/gone")));
        String answer = talks.get("/directory");
        assertEquals(404, EmbeddedHttpLane.status(answer));
        assertFalse(answer.contains(directory.toString()), "paths of this machine are not revealed");
        serve("/empty", HttpAnswer.file("text/plain", file("empty", "")));
        assertEquals(Optional.of("0"), EmbeddedHttpLane.header(talks.get("/empty"), "content-length"));
    }

    @Test
    void aFileThatBecameShorterEndsTheConnectionRatherThanTheAnswer() throws Exception {
        Path file = file("log.bin", "x".repeat(200_000));
        serve("/log", HttpAnswer.file("application/octet-stream", file));
        EmbeddedChannel channel = talks.connect(true);
        channel.writeInbound(Unpooled.copiedBuffer(EmbeddedHttpLane.request("GET", "/log"), StandardCharsets.US_ASCII));
        talks.work().remove().run();
        Files.write(file, new byte[0]);
        talks.settle(channel);
        talks.say(channel, EmbeddedHttpLane.request("GET", "/none"));
        assertFalse(channel.isOpen(), "another answer would be taken for the rest of the file");
    }

    @Test
    void anErrorOfAHandlerIsAnAnswerToo() {
        talks.lane.serve("/broken", request -> {
            throw new AssertionError("broken");
        });
        assertEquals(500, EmbeddedHttpLane.status(talks.get("/broken")));
    }

    private void serve(String prefix, HttpAnswer answer) {
        talks.lane.serve(prefix, request -> CompletableFuture.completedStage(answer));
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content, StandardCharsets.US_ASCII);
    }

    private static String unzipped(String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
