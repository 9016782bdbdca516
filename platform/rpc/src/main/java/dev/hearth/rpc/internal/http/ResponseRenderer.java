package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Bytes;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Converts the answer of a handler into the response to send: adds entity tags and security headers, applies ranges and
 * compression. It opens files, so it runs on threads that may block. Stateless.
 */
final class ResponseRenderer {
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int PARTIAL = 206;
    private static final int NOT_MODIFIED = 304;
    private static final int RANGE_NOT_SATISFIABLE = 416;

    /** Names of headers that only the HTTP server sets; a handler may not set them. */
    private static final List<String> OURS =
            List.of("content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "trailer");

    private static final String PAGE_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline';"
            + " img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'";

    /**
     * Converts {@code answer}, which a handler gave to {@code request}, into a response. A file that does not exist
     * leads to status 404. {@code calls} runs the methods of the source of a streamed body.
     */
    RenderedResponse render(HttpRequest request, HttpAnswer answer, Executor calls) throws IOException, RequestRefused {
        HttpHeaders headers = headers(answer);
        if (answer.content() instanceof HttpAnswer.Stream stream) {
            describe(headers, stream.type());
            add(headers, "Cache-Control", "no-store");
            add(headers, "X-Accel-Buffering", "no");
            return new RenderedResponse(
                    answer.status(), headers, new RenderedResponse.StreamBody(stream.source(), calls));
        }
        if (answer.content() instanceof HttpAnswer.Whole whole) {
            return whole(request, answer.status(), headers, whole);
        }
        if (answer.content() instanceof HttpAnswer.File file) {
            return file(request, answer.status(), headers, file);
        }
        HttpAnswer.Events events = (HttpAnswer.Events) answer.content();
        headers.set("Content-Type", "text/event-stream;charset=utf-8");
        headers.set("Cache-Control", "no-store");
        headers.set("X-Accel-Buffering", "no");
        return new RenderedResponse(
                answer.status(), careful(headers, ""), new RenderedResponse.EventsBody(events.source()));
    }

    /** Converts {@code answer}, which is in memory, to the response to a refused request with {@code headers}. */
    static RenderedResponse refusal(HttpAnswer answer, Map<String, String> headers) {
        HttpAnswer.Whole whole = (HttpAnswer.Whole) answer.content();
        HttpHeaders all = headers(answer);
        headers.forEach((name, value) -> add(all, name, value));
        add(all, "Content-Type", whole.type());
        add(all, "Cache-Control", "no-store");
        return new RenderedResponse(
                answer.status(), careful(all, whole.type()), new RenderedResponse.MemoryBody(view(whole.bytes())));
    }

    /**
     * Adds the usual security headers to {@code headers}, without replacing those that the handler has set. {@code
     * type} is the content type; only HTML gets a content policy.
     */
    static HttpHeaders careful(HttpHeaders headers, String type) {
        add(headers, "X-Content-Type-Options", "nosniff");
        add(headers, "X-Frame-Options", "SAMEORIGIN");
        add(headers, "Referrer-Policy", "same-origin");
        if (type.toLowerCase(Locale.ROOT).startsWith("text/html")) {
            add(headers, "Content-Security-Policy", PAGE_POLICY);
        }
        return headers;
    }

    private static HttpHeaders headers(HttpAnswer answer) {
        HttpHeaders headers = RenderedResponse.noHeaders();
        answer.headers().forEach((name, value) -> {
            if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "header " + name + " of an answer (expected: none, as the connection sets it)");
            }
            headers.add(name, value);
        });
        return headers;
    }

    private RenderedResponse whole(HttpRequest request, int status, HttpHeaders headers, HttpAnswer.Whole whole) {
        describe(headers, whole.type());
        if (status == NO_CONTENT || status == NOT_MODIFIED) {
            return new RenderedResponse(status, headers, new RenderedResponse.MemoryBody(ByteBuffer.allocate(0)));
        }
        ByteBuffer content = view(whole.bytes());
        if (status != OK || !reads(request)) {
            return new RenderedResponse(
                    status, headers, new RenderedResponse.MemoryBody(zipped(request, headers, whole.type(), content)));
        }
        if (!headers.contains("ETag")) {
            headers.set("ETag", EntityTag.of(content));
        }
        add(headers, "Cache-Control", "no-cache");
        if (isKnown(request, headers)) {
            return unchanged(headers, whole.type());
        }
        Optional<ByteRange> range = range(request, headers, content.remaining());
        if (range.isEmpty()) {
            return new RenderedResponse(
                    status, headers, new RenderedResponse.MemoryBody(zipped(request, headers, whole.type(), content)));
        }
        int size = content.remaining();
        ByteBuffer part =
                content.slice((int) range.get().first(), (int) range.get().length());
        return partial(headers, range.get(), size, new RenderedResponse.MemoryBody(part, size));
    }

    private RenderedResponse file(HttpRequest request, int status, HttpHeaders headers, HttpAnswer.File answer)
            throws IOException, RequestRefused {
        Path path = answer.file();
        BasicFileAttributes attributes;
        FileChannel channel;
        try {
            attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                throw missing(request);
            }
            channel = FileChannel.open(path, StandardOpenOption.READ);
        } catch (NoSuchFileException gone) {
            throw missing(request);
        }
        try {
            RenderedResponse rendered = file(request, status, headers, answer.type(), attributes, channel);
            if (!(rendered.body() instanceof RenderedResponse.FileBody)) {
                channel.close();
            }
            return rendered;
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    private RenderedResponse file(
            HttpRequest request,
            int status,
            HttpHeaders headers,
            String type,
            BasicFileAttributes attributes,
            FileChannel channel)
            throws IOException {
        long size = attributes.size();
        describe(headers, type);
        if (status != OK || !reads(request)) {
            return new RenderedResponse(status, headers, new RenderedResponse.FileBody(channel, 0, size));
        }
        Instant modified = attributes.lastModifiedTime().toInstant();
        add(headers, "Last-Modified", HttpDate.text(modified));
        add(headers, "ETag", EntityTag.of(attributes));
        add(headers, "Cache-Control", "no-cache");
        if (isKnown(request, headers) || isUnmodified(request, modified)) {
            return unchanged(headers, type);
        }
        Optional<ByteRange> range = range(request, headers, size);
        if (range.isPresent()) {
            ByteRange part = range.get();
            return partial(headers, part, size, new RenderedResponse.FileBody(channel, part.first(), part.length()));
        }
        if (size <= ResponseCompression.FILE_BYTES_MAX && compresses(request, headers, type, size)) {
            return new RenderedResponse(
                    status, headers, new RenderedResponse.MemoryBody(zipped(request, headers, type, read(channel, (int)
                            size))));
        }
        return new RenderedResponse(status, headers, new RenderedResponse.FileBody(channel, 0, size));
    }

    private static RenderedResponse partial(
            HttpHeaders headers, ByteRange range, long size, RenderedResponse.Body body) {
        headers.set("Content-Range", range.of(size));
        return range.isNone()
                ? new RenderedResponse(
                        RANGE_NOT_SATISFIABLE, headers, new RenderedResponse.MemoryBody(ByteBuffer.allocate(0)))
                : new RenderedResponse(PARTIAL, headers, body);
    }

    private static RenderedResponse unchanged(HttpHeaders headers, String type) {
        headers.remove("Content-Type");
        if (ResponseCompression.suits(type)) {
            headers.add("Vary", "Accept-Encoding");
        }
        return new RenderedResponse(NOT_MODIFIED, headers, new RenderedResponse.MemoryBody(ByteBuffer.allocate(0)));
    }

    private static ByteBuffer zipped(HttpRequest request, HttpHeaders headers, String type, ByteBuffer content) {
        boolean may = compresses(request, headers, type, content.remaining());
        if (ResponseCompression.suits(type)) {
            headers.add("Vary", "Accept-Encoding");
        }
        if (!may) {
            return content;
        }
        headers.set("Content-Encoding", "gzip");
        headers.remove("Accept-Ranges");
        if (headers.contains("ETag")) {
            headers.set("ETag", EntityTag.zipped(headers.get("ETag")));
        }
        return ResponseCompression.gzip(content);
    }

    private static boolean compresses(HttpRequest request, HttpHeaders headers, String type, long size) {
        return size > ResponseCompression.BYTES_MIN
                && ResponseCompression.suits(type)
                && !headers.contains("Content-Encoding")
                && ResponseCompression.isAccepted(request.header("accept-encoding"));
    }

    private static boolean isKnown(HttpRequest request, HttpHeaders headers) {
        return request.header("if-none-match")
                .filter(header -> EntityTag.isNamed(header, headers.get("ETag")))
                .isPresent();
    }

    private static boolean isUnmodified(HttpRequest request, Instant modified) {
        if (request.header("if-none-match").isPresent()) {
            return false; // If-None-Match takes precedence
        }
        return request.header("if-modified-since")
                .flatMap(HttpDate::parse)
                .filter(since -> HttpDate.isUnchanged(modified, since))
                .isPresent();
    }

    private static Optional<ByteRange> range(HttpRequest request, HttpHeaders headers, long size) {
        headers.set("Accept-Ranges", "bytes");
        Optional<String> condition = request.header("if-range").map(String::strip);
        boolean same = condition.isEmpty()
                || condition.get().equals(headers.get("ETag"))
                || condition.get().equals(headers.get("Last-Modified"));
        return same && request.method().equals("GET")
                ? request.header("range").flatMap(header -> ByteRange.parse(header, size))
                : Optional.empty();
    }

    private static boolean reads(HttpRequest request) {
        return request.method().equals("GET") || request.method().equals("HEAD");
    }

    private static void describe(HttpHeaders headers, String type) {
        if (!type.isEmpty()) {
            add(headers, "Content-Type", type);
        }
        careful(headers, headers.get("Content-Type", ""));
    }

    private static void add(HttpHeaders headers, String name, String value) {
        if (!headers.contains(name)) {
            headers.set(name, value);
        }
    }

    private static ByteBuffer view(Bytes bytes) {
        ByteBuffer[] view = new ByteBuffer[1];
        bytes.read(content -> view[0] = ByteBuffer.wrap(content).asReadOnlyBuffer());
        return view[0];
    }

    private static ByteBuffer read(FileChannel channel, int size) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(size);
        while (content.hasRemaining()) {
            if (channel.read(content) < 0) {
                throw new EOFException("a file became shorter while it was read");
            }
        }
        return content.flip();
    }

    private static RequestRefused missing(HttpRequest request) {
        return HttpError.NOT_FOUND.refused(request.path() + ": its file does not exist (expected: a file)");
    }
}
