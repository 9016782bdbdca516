package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.BodySource;
import dev.hearth.spi.http.EventSource;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/**
 * Response that is ready to send, except for headers that depend on the connection. Its owner must send or discard it.
 */
record RenderedResponse(int status, HttpHeaders headers, Body body) {
    /** Body of a response: bytes, a file, pieces from a source, or a stream of events. */
    sealed interface Body {}

    /**
     * Body in memory. {@code heldBytes} is the number of bytes that stay in memory until the response is sent; of
     * these, {@code content} may be only the requested range.
     */
    record MemoryBody(ByteBuffer content, int heldBytes) implements Body {
        MemoryBody(ByteBuffer content) {
            this(content, content.remaining());
        }
    }

    /** Body that is a part of an open file. */
    record FileBody(FileChannel file, long position, long length) implements Body {}

    /** Body that {@code source} produces while the client reads; {@code calls} runs its methods. */
    record StreamBody(BodySource source, Executor calls) implements Body {}

    /** Server-sent events, until the handler or the client ends the stream. */
    record EventsBody(EventSource source) implements Body {}

    /** Creates an empty set of headers, which rejects invalid names and values with an exception. */
    static HttpHeaders noHeaders() {
        return DefaultHttpHeadersFactory.headersFactory().newHeaders();
    }

    static RenderedResponse text(int status, String type, String text) {
        HttpHeaders headers = noHeaders().set("Content-Type", type);
        return new RenderedResponse(
                status, headers, new MemoryBody(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))));
    }

    static RenderedResponse empty(int status) {
        return new RenderedResponse(status, noHeaders(), new MemoryBody(ByteBuffer.allocate(0)));
    }

    RenderedResponse with(String header, String value) {
        headers.set(header, value);
        return this;
    }

    /** Returns the length of the body in bytes; -1 if unknown. */
    long length() {
        if (body instanceof MemoryBody memory) {
            return memory.content().remaining();
        }
        return body instanceof FileBody span ? span.length() : -1;
    }

    /** Returns the number of bytes that stay in memory until the response is sent; 0 for files and events. */
    long heldBytes() {
        if (body instanceof StreamBody) {
            return StreamPieces.HELD_BYTES;
        }
        return body instanceof MemoryBody memory ? memory.heldBytes() : 0;
    }

    /** Closes the file or source of the body, if any, because the response will not be sent. */
    void discard() {
        if (body instanceof StreamBody stream) {
            StreamPieces.close(stream.source(), stream.calls());
        }
        if (body instanceof FileBody span) {
            try {
                span.file().close();
            } catch (IOException failure) {
                throw new UncheckedIOException("a file that was not sent: cannot be closed", failure);
            }
        }
    }
}
