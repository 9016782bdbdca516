package dev.hearth.spi.http;

import dev.hearth.spi.net.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Response of a handler. The server adds Content-Length, ETag, range, compression and caching headers that are not set
 * here. Immutable.
 */
public record HttpAnswer(int status, Map<String, String> headers, Content content) {
    private static final int STATUS_MIN = 200;
    private static final int STATUS_MAX = 599;

    public HttpAnswer {
        if (status < STATUS_MIN || status > STATUS_MAX) {
            throw new IllegalArgumentException(
                    "status " + status + " (expected: " + STATUS_MIN + " to " + STATUS_MAX + ")");
        }
        headers = Map.copyOf(headers);
    }

    public static HttpAnswer json(int status, String json) {
        return text(status, "application/json;charset=utf-8", json);
    }

    public static HttpAnswer text(int status, String text) {
        return text(status, "text/plain;charset=utf-8", text);
    }

    public static HttpAnswer html(int status, String page) {
        return text(status, "text/html;charset=utf-8", page);
    }

    public static HttpAnswer text(int status, String type, String text) {
        return bytes(status, type, Bytes.owning(text.getBytes(StandardCharsets.UTF_8)));
    }

    public static HttpAnswer bytes(int status, String type, Bytes bytes) {
        return new HttpAnswer(status, Map.of(), new Whole(type, bytes));
    }

    /**
     * Response whose body is {@code file}, sent with zero copy where the operating system supports it. The server adds
     * the ETag and serves ranges.
     */
    public static HttpAnswer file(String type, Path file) {
        return new HttpAnswer(STATUS_MIN, Map.of(), new File(type, file));
    }

    /** Response whose body is a stream of server-sent events, which lasts until the client or the handler closes it. */
    public static HttpAnswer events(EventSource source) {
        return new HttpAnswer(STATUS_MIN, Map.of(), new Events(source));
    }

    /**
     * Response whose body comes from {@code source}, piece by piece as the client reads. It has neither length nor ETag,
     * and is neither compressed nor sent in ranges; the connection ends with it.
     */
    public static HttpAnswer stream(String type, BodySource source) {
        return new HttpAnswer(STATUS_MIN, Map.of(), new Stream(type, source));
    }

    public static HttpAnswer empty(int status) {
        return new HttpAnswer(status, Map.of(), new Whole("", Bytes.EMPTY));
    }

    public HttpAnswer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new HttpAnswer(status, more, content);
    }

    /** Body of a response. */
    public sealed interface Content {}

    /** Body held in memory. An empty type omits the Content-Type header. */
    public record Whole(String type, Bytes bytes) implements Content {}

    /** Body that is read from a file on disk; {@code type} is its media type. */
    public record File(String type, Path file) implements Content {}

    /** Body that {@code source} produces piece by piece; {@code type} is its media type. */
    public record Stream(String type, BodySource source) implements Content {}

    /** Body that stays open as a stream of the server-sent events of {@code source}. */
    public record Events(EventSource source) implements Content {}
}
