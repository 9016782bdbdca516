package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcEnv;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Recognises TLS and HTTP, and describes first bytes of any other protocol for error texts. Stateless. */
final class ProtocolGuess {
    private static final int SHOWN_BYTES_MAX = 16;
    private static final int EMPTY_LINES_MAX = 4; // before a request, where a decoder of HTTP ignores them too
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_ALERT = 0x15;
    private static final int TLS_MAJOR = 0x03;
    private static final int SPARK_HEAD_BYTES = 9;
    private static final int SPARK_TYPE_MAX = 12;
    private static final String EMPTY_LINE = "\r\n";
    private static final String HTTP_ANSWER = "HTTP/";
    private static final List<String> HTTP_REQUESTS =
            List.of("GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE ", "PRI ");

    private ProtocolGuess() {}

    /** Whether the bytes so far can be the beginning of an HTTP request. */
    static boolean mayBeHttp(ByteBuf in) {
        String text = withoutEmptyLines(in);
        return text.equals("\r")
                || HTTP_REQUESTS.stream().anyMatch(request -> request.startsWith(text) || text.startsWith(request));
    }

    /** Whether the bytes begin with an HTTP request, or with a few empty lines and then one (RFC 9112, 2.2). */
    static boolean isHttp(ByteBuf in) {
        String text = withoutEmptyLines(in);
        return HTTP_REQUESTS.stream().anyMatch(text::startsWith);
    }

    /** Whether the bytes so far can be the beginning of a TLS handshake. */
    static boolean mayBeTls(ByteBuf in) {
        int at = in.readerIndex();
        return in.readableBytes() > 0
                && in.getUnsignedByte(at) == TLS_HANDSHAKE
                && (in.readableBytes() == 1 || in.getUnsignedByte(at + 1) == TLS_MAJOR);
    }

    /** Whether the bytes begin with a TLS handshake. */
    static boolean isTls(ByteBuf in) {
        return in.readableBytes() > 1 && mayBeTls(in);
    }

    /**
     * Whether the bytes begin with a frame of Spark's RPC: its length in 8 bytes, which is below 2 GiB, and the type of
     * its message.
     */
    static boolean isSpark(ByteBuf in) {
        int at = in.readerIndex();
        return in.readableBytes() >= SPARK_HEAD_BYTES
                && in.getInt(at) == 0
                && in.getInt(at + Integer.BYTES) >= SPARK_HEAD_BYTES
                && in.getUnsignedByte(at + Long.BYTES) <= SPARK_TYPE_MAX;
    }

    static String describe(ByteBuf in) {
        int shown = Math.min(in.readableBytes(), SHOWN_BYTES_MAX);
        String text = beginning(in);
        if (text.startsWith(HTTP_ANSWER) || HTTP_REQUESTS.stream().anyMatch(text::startsWith)) {
            return RpcEnv.LOOKS_LIKE_HTTP + ", '"
                    + text.lines().findFirst().orElse("").strip().replaceAll("\\p{Cntrl}", " ") + "...'";
        }
        int first = in.getUnsignedByte(in.readerIndex());
        boolean tls = first == TLS_HANDSHAKE || first == TLS_ALERT;
        if (tls && in.readableBytes() > 1 && in.getUnsignedByte(in.readerIndex() + 1) == TLS_MAJOR) {
            return "what looks like TLS";
        }
        return "bytes 0x" + ByteBufUtil.hexDump(in, in.readerIndex(), shown);
    }

    private static String beginning(ByteBuf in) {
        return text(in, SHOWN_BYTES_MAX);
    }

    private static String withoutEmptyLines(ByteBuf in) {
        String text = text(in, EMPTY_LINES_MAX * EMPTY_LINE.length() + SHOWN_BYTES_MAX);
        int lines = 0;
        while (lines < EMPTY_LINES_MAX && text.startsWith(EMPTY_LINE, lines * EMPTY_LINE.length())) {
            lines++;
        }
        return text.substring(lines * EMPTY_LINE.length());
    }

    private static String text(ByteBuf in, int bytesMax) {
        return in.toString(in.readerIndex(), Math.min(in.readableBytes(), bytesMax), StandardCharsets.US_ASCII);
    }
}
