package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Says in words what first bytes look like that are not ours. Stateless. */
final class ForeignBytes {
    private static final int SHOWN_BYTES_MAX = 16;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_ALERT = 0x15;
    private static final int TLS_MAJOR = 0x03;
    private static final List<String> HTTP_BEGINNINGS = List.of(
            "GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE ", "HTTP/", "PRI ");

    private ForeignBytes() {}

    static String describe(ByteBuf in) {
        int shown = Math.min(in.readableBytes(), SHOWN_BYTES_MAX);
        String text = in.toString(in.readerIndex(), shown, StandardCharsets.US_ASCII);
        if (HTTP_BEGINNINGS.stream().anyMatch(text::startsWith)) {
            return "what looks like HTTP, '"
                    + text.lines().findFirst().orElse("").strip() + "...'";
        }
        int first = in.getUnsignedByte(in.readerIndex());
        boolean tls = first == TLS_HANDSHAKE || first == TLS_ALERT;
        if (tls && in.readableBytes() > 1 && in.getUnsignedByte(in.readerIndex() + 1) == TLS_MAJOR) {
            return "what looks like TLS";
        }
        return "bytes 0x" + ByteBufUtil.hexDump(in, in.readerIndex(), shown);
    }
}
