package dev.hearth.rpc.internal.http;

import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Validated request line and headers of an HTTP request; target and length are unambiguous. {@code host} is the name
 * the client used for this server, empty for old clients; {@code contentLength} is -1 if not declared.
 */
record RequestHead(
        String method,
        RequestTarget target,
        String host,
        Map<String, List<String>> headers,
        boolean oldVersion,
        boolean keepAlive,
        boolean chunked,
        long contentLength,
        boolean expectsContinue) {
    /** Maximum length of the request line, in bytes. */
    static final int LINE_BYTES_MAX = 8 * 1024;

    /** Maximum length of all headers, in bytes. */
    static final int HEADERS_BYTES_MAX = 16 * 1024;

    /** Form of a host name or address with an optional port. */
    static final Pattern HOST = Pattern.compile("[\\w.:%\\[\\]-]*");

    private static final int HEADERS_MAX = 100;
    private static final List<String> UNSUPPORTED = List.of("CONNECT", "TRACE");

    static RequestHead of(HttpRequest message) throws RequestRefused {
        if (message.decoderResult().isFailure()) {
            throw malformed(message.decoderResult().cause());
        }
        HttpVersion version = message.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            throw HttpError.VERSION_NOT_SUPPORTED.refused("version " + version + " (expected: HTTP/1.1 or HTTP/1.0)");
        }
        String method = message.method().name();
        if (UNSUPPORTED.contains(method)) {
            throw HttpError.NOT_IMPLEMENTED.refused("method " + method + ": not supported (expected: a method such"
                    + " as GET, HEAD, POST, PUT or DELETE)");
        }
        boolean old = version.equals(HttpVersion.HTTP_1_0);
        RequestTarget target = RequestTarget.parse(message.uri());
        Map<String, List<String>> headers = headers(message);
        return new RequestHead(
                method,
                target,
                host(target, headers, old),
                headers,
                old,
                HttpUtil.isKeepAlive(message),
                chunked(message, old),
                HttpUtil.getContentLength(message, -1L),
                expectation(headers, old));
    }

    /** Creates the refusal for bytes that are not a valid request. */
    static RequestRefused malformed(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return HttpError.URI_TOO_LONG.refused(
                    "first line of the request: too long (expected: " + LINE_BYTES_MAX + " bytes at most)");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return HttpError.HEADERS_TOO_LARGE.refused(
                    "headers of the request: too long (expected: " + HEADERS_BYTES_MAX + " bytes at most)");
        }
        if (cause instanceof RequestDecoder.FoldedHeader) {
            return HttpError.BAD_REQUEST.refused(
                    "headers of the request: a line begins with white space (expected: one line for each header)");
        }
        if (cause instanceof TooLongFrameException) {
            return HttpError.BAD_REQUEST.refused("request: a part of it is too long (expected: HTTP/1.1)");
        }
        return HttpError.BAD_REQUEST.refused("request: malformed (expected: HTTP/1.1 as in RFC 9112)");
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    boolean isOptions() {
        return method.equals("OPTIONS");
    }

    /** Whether the method is safe in the sense of HTTP: it changes nothing. */
    boolean isSafe() {
        return method.equals("GET") || isHead() || isOptions();
    }

    boolean hasBody() {
        return chunked || contentLength > 0;
    }

    Optional<String> header(String name) {
        List<String> values = headers.get(name);
        return values == null ? Optional.empty() : Optional.of(values.get(0));
    }

    private static Map<String, List<String>> headers(HttpRequest message) throws RequestRefused {
        if (message.headers().size() > HEADERS_MAX) {
            throw HttpError.HEADERS_TOO_LARGE.refused(
                    "headers of the request: " + message.headers().size() + " (expected: " + HEADERS_MAX + " at most)");
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (Map.Entry<String, String> header : message.headers()) {
            headers.computeIfAbsent(header.getKey().toLowerCase(Locale.ROOT), first -> new ArrayList<>())
                    .add(header.getValue());
        }
        headers.replaceAll((name, values) -> List.copyOf(values));
        return Collections.unmodifiableMap(headers);
    }

    private static String host(RequestTarget target, Map<String, List<String>> headers, boolean old)
            throws RequestRefused {
        List<String> hosts = headers.getOrDefault("host", List.of());
        if (hosts.size() > 1 || (hosts.isEmpty() && !old)) {
            throw HttpError.BAD_REQUEST.refused("header Host: " + hosts.size() + " times (expected: once)");
        }
        String host =
                target.authority().orElse(hosts.isEmpty() ? "" : hosts.get(0).strip());
        if (!HOST.matcher(host).matches()) {
            throw HttpError.BAD_REQUEST.refused("header Host: malformed (expected: a name or address, and a port)");
        }
        return host;
    }

    private static boolean chunked(HttpRequest message, boolean old) throws RequestRefused {
        List<String> codings = message.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.isEmpty()) {
            return false;
        }
        if (old
                || codings.size() > 1
                || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(
                        codings.get(0).strip())) {
            throw HttpError.BAD_REQUEST.refused("header Transfer-Encoding (expected: chunked, of an HTTP/1.1 client)");
        }
        return true;
    }

    private static boolean expectation(Map<String, List<String>> headers, boolean old) throws RequestRefused {
        List<String> expected = headers.getOrDefault("expect", List.of());
        if (expected.isEmpty() || old) {
            return false;
        }
        if (expected.size() > 1 || !expected.get(0).strip().equalsIgnoreCase("100-continue")) {
            throw HttpError.EXPECTATION_FAILED.refused("header Expect (expected: 100-continue)");
        }
        return true;
    }
}
