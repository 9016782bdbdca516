package dev.hearth.rpc.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decodes one request at a time. Empty lines before a request are ignored; a folded header makes a request malformed.
 * While one request is handled, the bytes of the next one are not decoded, so pipelined requests need little memory and
 * are answered in order. Owned by the event loop of the channel.
 */
final class RequestDecoder extends HttpRequestDecoder {
    /** Maximum number of empty lines that are ignored before a request. */
    static final int EMPTY_LINES_MAX = 4;

    private static final int EMPTY_LINE_BYTES = 2;

    private final Runnable began;
    private Mode mode = Mode.READING;
    private Part part = Part.NOTHING;
    private int emptyLines;
    private final AtomicLong bytesReceived = new AtomicLong(); // read by any thread

    /** Creates a decoder. {@code began} runs when the first byte of a request has arrived, empty lines not counted. */
    RequestDecoder(Runnable began) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(RequestHead.LINE_BYTES_MAX)
                .setMaxHeaderSize(RequestHead.HEADERS_BYTES_MAX)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setValidateHeaders(true));
        this.began = began;
    }

    /** Treatment of received bytes: decoded, kept until {@link #resume}, or discarded. */
    private enum Mode {
        READING,
        PAUSED,
        DISCARDING
    }

    /** Part of a request that the next byte to decode belongs to; NOTHING between two requests. */
    private enum Part {
        NOTHING,
        REQUEST_LINE,
        HEADERS,
        BODY
    }

    /** A header that continues on the next line, which makes its value ambiguous (RFC 9112, 5.2). */
    static final class FoldedHeader extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        FoldedHeader() {
            super("a folded header");
        }
    }

    /** Stops decoding until {@link #resume}. */
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
        part = Part.NOTHING;
        emptyLines = 0;
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
                if (part == Part.NOTHING) {
                    begin(in);
                }
                if (part != Part.NOTHING) {
                    read(context, in, out);
                }
            }
            case PAUSED -> {}
            case DISCARDING -> in.skipBytes(in.readableBytes());
        }
    }

    /**
     * Skips empty lines up to {@link #EMPTY_LINES_MAX}. At the first byte that does not belong to one, begins a
     * request.
     */
    private void begin(ByteBuf in) {
        while (emptyLines < EMPTY_LINES_MAX && isEmptyLine(in)) {
            in.skipBytes(EMPTY_LINE_BYTES);
            emptyLines++;
        }
        boolean undecided = in.readableBytes() == 1 && in.getByte(in.readerIndex()) == '\r';
        if (in.isReadable() && !(undecided && emptyLines < EMPTY_LINES_MAX)) {
            part = Part.REQUEST_LINE;
            began.run();
        }
    }

    private void read(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (part != Part.BODY && isMalformed(in)) {
            in.skipBytes(in.readableBytes());
            mode = Mode.DISCARDING;
            out.add(malformed());
            return;
        }
        int before = in.readerIndex();
        int decoded = out.size();
        super.decode(context, in, out); // consumes whole lines of the head
        if (out.size() > decoded) {
            part = Part.BODY;
        } else if (part == Part.REQUEST_LINE && in.readerIndex() > before) {
            part = Part.HEADERS;
        }
    }

    /**
     * Whether a line of the received head begins with white space: it is a folded header or a malformed request line. A
     * request line must not begin with any other control character either.
     */
    private boolean isMalformed(ByteBuf in) {
        int line = in.readerIndex();
        while (line < in.writerIndex()) {
            boolean requestLine = part == Part.REQUEST_LINE && line == in.readerIndex();
            byte first = in.getByte(line);
            if (first == ' ' || first == '\t' || (requestLine && first >= 0 && first < ' ')) {
                return true;
            }
            int end = in.indexOf(line, in.writerIndex(), (byte) '\n');
            boolean empty = end == line || (end == line + 1 && first == '\r');
            if (end < 0 || empty) {
                return false; // the rest of the line is not there, or the head has ended
            }
            line = end + 1;
        }
        return false;
    }

    private static HttpRequest malformed() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.GET, "/");
        request.setDecoderResult(DecoderResult.failure(new FoldedHeader()));
        return request;
    }

    private static boolean isEmptyLine(ByteBuf in) {
        return in.readableBytes() >= EMPTY_LINE_BYTES
                && in.getByte(in.readerIndex()) == '\r'
                && in.getByte(in.readerIndex() + 1) == '\n';
    }

    /**
     * Refuses a request that has a Content-Length header and is chunked too. A proxy may choose another length than
     * this server, which allows request smuggling.
     */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
    }
}
