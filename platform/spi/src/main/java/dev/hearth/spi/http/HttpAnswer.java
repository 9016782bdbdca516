package dev.hearth.spi.http;

import dev.hearth.spi.net.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a handler answers. Length, ETag, ranges, compression and caching headers that are not set here are added by the
 * server. Immutable.
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

    /** A file, sent without passing through this process where the system can; ranges and its ETag come by themselves. */
    public static HttpAnswer file(String type, Path file) {
        return new HttpAnswer(STATUS_MIN, Map.of(), new File(type, file));
    }

    /** Server-sent events, for as long as both sides like. */
    public static HttpAnswer events(EventSource source) {
        return new HttpAnswer(STATUS_MIN, Map.of(), new Events(source));
    }

    public static HttpAnswer empty(int status) {
        return new HttpAnswer(status, Map.of(), new Whole("", Bytes.EMPTY));
    }

    public HttpAnswer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new HttpAnswer(status, more, content);
    }

    /** What the body is made of. */
    public sealed interface Content {}

    /** Bytes in memory; an empty type is no type. */
    public record Whole(String type, Bytes bytes) implements Content {}

    /** A file on disk. */
    public record File(String type, Path file) implements Content {}

    /** Events as they come. */
    public record Events(EventSource source) implements Content {}
}
