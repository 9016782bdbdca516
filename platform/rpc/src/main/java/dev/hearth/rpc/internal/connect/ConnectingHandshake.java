package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;

/** The side that connects: says what it speaks, which lane and which scope it wants, and hears the answer. */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class ConnectingHandshake extends Handshake {
    private final Preamble ours;
    private final Lane lane;
    private final String scope;
    private final Outcome outcome;

    ConnectingHandshake(String remote, Duration bound, Preamble ours, Lane lane, String scope, Outcome outcome) {
        super(remote, bound);
        this.ours = ours.on(lane);
        this.lane = lane;
        this.scope = scope;
        this.outcome = outcome;
    }

    @Override
    void begin(ChannelHandlerContext context) {
        ByteBuf first = context.alloc().buffer();
        ours.write(first);
        ByteBuf hello = HandshakeFrame.write(context, HandshakeFrame.Kind.HELLO, out -> out.putText(scope));
        try {
            first.writeBytes(hello);
        } finally {
            hello.release();
        }
        context.writeAndFlush(first, context.voidPromise());
    }

    @Override
    void preamble(ChannelHandlerContext context, Preamble theirs) {
        if (ours.common(theirs).isEmpty()) {
            refuse(
                    context,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": it speaks protocol " + theirs
                            + " (expected: one of ours, " + ours + "); install the same release on both sides"),
                    Connections.Refusal.FOREIGN);
        }
    }

    @Override
    void frame(ChannelHandlerContext context, HandshakeFrame frame) {
        switch (frame.kind()) {
            case WELCOME ->
                succeed(
                        context,
                        () -> outcome.connected(
                                new Established(context.channel(), lane, scope, remote, Established.PLAIN)));
            case REFUSAL -> {
                String code = frame.body().takeText();
                String text = frame.body().takeText();
                refuse(context, new HearthException(code, remote + ": " + text), Connections.Refusal.BROKEN);
            }
            case HELLO -> throw new IllegalArgumentException("a handshake of kind HELLO (expected: an answer)");
        }
    }

    @Override
    void refused(HearthException failure, Connections.Refusal reason) {
        outcome.refused(failure);
    }

    /** Hears how it ended, once. */
    interface Outcome {
        /** Adds the lane's handlers to the pipeline of the connection. */
        void connected(Established connection);

        void refused(HearthException failure);
    }
}
