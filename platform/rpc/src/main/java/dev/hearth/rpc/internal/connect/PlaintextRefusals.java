package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/** Creates the refusals that clients without TLS receive, in the protocol that the client uses. Stateless. */
final class PlaintextRefusals {
    private static final String REASON =
            "connection without TLS (expected: TLS 1.3, which the listening process requires)";

    private PlaintextRefusals() {}

    /** Creates a refusal in Hearth's protocol for a new connection: the preamble and a refusal frame. */
    static ByteBuf ofProtocol(ChannelHandlerContext context, Preamble ours) {
        ByteBuf answer = context.alloc().buffer();
        ours.write(answer);
        ByteBuf refusal = refusal(context);
        try {
            return answer.writeBytes(refusal);
        } finally {
            refusal.release();
        }
    }

    /** Creates the refusal frame for a connection on which both sides have sent their preambles. */
    static ByteBuf refusal(ChannelHandlerContext context) {
        return HandshakeFrame.refusal(
                context,
                ErrorCode.PROTOCOL_MISMATCH,
                REASON + "; set hearth.authenticate and hearth.ssl.rpc.enabled to the same values on both sides");
    }

    /** Creates the refusal for an HTTP client: a response with status 400, whose text states the reason. */
    static ByteBuf ofHttp(ChannelHandlerContext context) {
        String body = REASON + "; use https://, or set hearth.rest.anonymous=true for the listening process\n";
        String answer = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + body.length() + "\r\nConnection: close\r\n\r\n" + body;
        return ByteBufUtil.encodeString(context.alloc(), CharBuffer.wrap(answer), StandardCharsets.US_ASCII);
    }
}
