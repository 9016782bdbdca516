package dev.hearth.rpc.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decodes one request at a time. While one request is handled, the bytes of the next one are not decoded, so pipelined
 * requests need little memory and are answered in order. Owned by the channel's event loop.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private final Runnable began;
    private Mode mode = Mode.READING;
    private boolean inMessage;
    private final AtomicLong bytesReceived = new AtomicLong(); // written on the event loop, read by any thread

    /** Creates a decoder. {@code began} runs at the first byte of every request. */
    RequestDecoder(Runnable began) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(RequestHead.LINE_BYTES_MAX)
                .setMaxHeaderSize(RequestHead.HEADERS_BYTES_MAX)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setValidateHeaders(true));
        this.began = began;
    }

    /** Current treatment of received bytes. */
    private enum Mode {
        READING,
        PAUSED,
        DISCARDING
    }

    /** Stops decoding until {@link #resume}, so that the next request waits. */
    void pause() {
        mode = Mode.PAUSED;
    }

    /** Discards all bytes that arrive from now on. */
    void discard() {
        mode = Mode.DISCARDING;
    }

    /** Resumes decoding with the next request, of which some bytes may have been received already. */
    void resume(ChannelHandlerContext context) throws Exception {
        mode = Mode.READING;
        inMessage = false;
        channelRead(context, Unpooled.EMPTY_BUFFER);
    }

    long bytesReceived() {
        return bytesReceived.get();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            bytesReceived.addAndGet(bytes.readableBytes());
        }
        super.channelRead(context, message);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        switch (mode) {
            case READING -> {
                if (!inMessage && in.isReadable()) {
                    inMessage = true;
                    began.run();
                }
                super.decode(context, in, out);
            }
            case PAUSED -> {}
            case DISCARDING -> in.skipBytes(in.readableBytes());
        }
    }

    /** Refuses ambiguous lengths, which allow request smuggling past a proxy. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
    }
}
