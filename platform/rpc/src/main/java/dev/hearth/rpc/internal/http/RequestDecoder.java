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
 * Decodes one request at a time: while one is answered, the bytes of the next stay bytes. So pipelined requests cost no
 * more than the bytes read, and are answered in order. Owned by the channel's event loop.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private final Runnable began;
    private Mode mode = Mode.READING;
    private boolean inMessage;
    private final AtomicLong bytesReceived = new AtomicLong(); // read by any thread

    /** {@code began} runs at the first byte of every request. */
    RequestDecoder(Runnable began) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(RequestHead.LINE_BYTES_MAX)
                .setMaxHeaderSize(RequestHead.HEADERS_BYTES_MAX)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setValidateHeaders(true));
        this.began = began;
    }

    /** What is done with bytes that arrive. */
    private enum Mode {
        READING,
        PAUSED,
        DISCARDING
    }

    /** Decodes nothing more until {@link #resume}. */
    void pause() {
        mode = Mode.PAUSED;
    }

    /** Throws away whatever arrives from now on. */
    void discard() {
        mode = Mode.DISCARDING;
    }

    /** Goes on with the next request, of which bytes may be here already. */
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

    /** Two opinions on where a request ends are how one is smuggled past somebody on the way. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
    }
}
