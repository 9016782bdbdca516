package dev.hearth.rpc.internal.http;

import dev.hearth.spi.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.stream.ChunkedInput;
import io.netty.handler.stream.ChunkedNioFile;
import io.netty.handler.stream.ChunkedWriteHandler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the responses of one HTTP connection. Without TLS, files go directly from disk to socket. Under TLS they are
 * written in pieces, as are long bodies in memory. Owned by the channel's event loop.
 */
// futures are ignored: the last write of a response reports the result of all
@SuppressWarnings("FutureReturnValueIgnored")
final class ResponseWriter {
    private static final int PIECE_BYTES = 64 * 1024;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final Channel channel;
    private final boolean secure;
    private final Ticker ticker;
    private @Nullable StreamPieces streamed; // null unless the body of the response is streamed
    private @Nullable ChunkedInput<ByteBuf> pieces; // null unless a response is sent in chunks

    ResponseWriter(Channel channel, boolean secure, Ticker ticker) {
        this.channel = channel;
        this.secure = secure;
        this.ticker = ticker;
    }

    /**
     * Properties of a request and its connection that determine how the response is written. {@code headOnly}: without
     * body; {@code keepAlive}: the connection stays open; {@code oldVersion}: HTTP/1.0.
     */
    record ResponseFraming(boolean headOnly, boolean keepAlive, boolean oldVersion) {}

    /**
     * Writes a response of known length, and returns the future of its last write. {@code progressed} runs when the
     * client has read a part of a response that is sent in pieces.
     */
    ChannelFuture write(RenderedResponse answer, ResponseFraming manner, Runnable progressed) {
        DefaultHttpResponse response = head(answer, manner);
        HttpHeaders headers = response.headers();
        boolean bodiless = answer.status() == NO_CONTENT || answer.status() == NOT_MODIFIED;
        if (!bodiless) {
            headers.set("Content-Length", answer.length());
        }
        if (manner.headOnly() || bodiless || answer.length() == 0) {
            answer.discard();
            channel.write(response);
            return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        }
        if (answer.body() instanceof RenderedResponse.MemoryBody memory) {
            if (answer.length() > PIECE_BYTES) {
                channel.write(response);
                return writePieces(new MemoryPieces(memory.content(), PIECE_BYTES, progressed));
            }
            return channel.writeAndFlush(new DefaultFullHttpResponse(
                    response.protocolVersion(),
                    response.status(),
                    Unpooled.wrappedBuffer(memory.content()),
                    headers,
                    RenderedResponse.noHeaders()));
        }
        RenderedResponse.FileBody span = (RenderedResponse.FileBody) answer.body();
        channel.write(response);
        if (!secure) {
            channel.write(new DefaultFileRegion(span.file(), span.position(), span.length())); // closes the file
            return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        }
        try {
            return writePieces(new ChunkedNioFile(span.file(), span.position(), span.length(), PIECE_BYTES));
        } catch (IOException failure) {
            answer.discard();
            return channel.newFailedFuture(failure);
        }
    }

    /**
     * Writes a response whose body is produced while the client reads. The body ends the connection for clients of
     * HTTP/1.0. Returns the future of the last write.
     */
    ChannelFuture writeStream(RenderedResponse answer, ResponseFraming manner, StreamPieces body) {
        streamed = body;
        writeHead(answer, manner);
        return writePieces(body);
    }

    /** Lets a streamed body that has paused continue. */
    void resume() {
        ChunkedWriteHandler chunks = channel.pipeline().get(ChunkedWriteHandler.class);
        if (chunks != null) {
            chunks.resumeTransfer();
        }
    }

    /**
     * Whether nothing can be sent now because the source of a streamed body has no piece ready, so that the client is
     * not at fault.
     */
    boolean waitsForSource() {
        StreamPieces body = streamed;
        return body != null && body.waitsForSource() && waitingBytes() == 0;
    }

    /** Whether {@link #waitsForSource} holds and a call of the source is still running. */
    boolean waitsForCall() {
        StreamPieces body = streamed;
        return waitsForSource() && body != null && body.isCalling();
    }

    /** Writes the head of a response of unknown length. */
    ChannelFuture writeHead(RenderedResponse answer, ResponseFraming manner) {
        DefaultHttpResponse response = head(answer, manner);
        if (!manner.oldVersion()) {
            response.headers().set("Transfer-Encoding", "chunked");
        }
        return channel.writeAndFlush(response);
    }

    /**
     * Returns a snapshot of how much of the current response was sent. If two snapshots are equal, no byte was sent
     * between them.
     */
    Progress progress() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        ChunkedInput<ByteBuf> input = pieces;
        return new Progress(
                waitingBytes(), buffer == null ? 0 : buffer.currentProgress(), input == null ? 0 : input.progress());
    }

    /** Number of bytes written to the channel that the socket has not accepted yet. Thread-safe. */
    long waitingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /**
     * Writes the body of a response in pieces, each when the client has read enough of the previous ones. Returns the
     * future of the last write.
     */
    private ChannelFuture writePieces(ChunkedInput<ByteBuf> input) {
        usePieces();
        pieces = input;
        // closes the input; a failure leaves the response incomplete, so the connection must close
        channel.write(input).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(written -> pieces = null);
    }

    private void usePieces() {
        if (channel.pipeline().get(ChunkedWriteHandler.class) == null) {
            channel.pipeline().addBefore(HttpConnection.NAME, "http-pieces", new ChunkedWriteHandler());
        }
    }

    /** Progress of writing. */
    record Progress(long waitingBytes, long writtenBytes, long offset) {}

    private DefaultHttpResponse head(RenderedResponse answer, ResponseFraming manner) {
        HttpHeaders headers =
                ResponseRenderer.careful(answer.headers(), answer.headers().get("Content-Type", ""));
        headers.set("Date", HttpDate.text(ticker.wall()));
        headers.set("Server", "Hearth");
        if (!manner.keepAlive()) {
            headers.set("Connection", "close");
        } else if (manner.oldVersion()) {
            headers.set("Connection", "keep-alive");
        }
        HttpVersion version = manner.oldVersion() ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
        return new DefaultHttpResponse(version, HttpResponseStatus.valueOf(answer.status()), headers);
    }
}
