package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** The side that listens: it speaks second, and decides. What becomes of it goes to {@link Lanes} and the counts. */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class AcceptingHandshake extends Handshake {
    private final Preamble ours;
    private final Lanes lanes;
    private final Outcome outcome;
    private Lane lane = Lane.MESSAGES;

    AcceptingHandshake(String remote, Duration bound, Preamble ours, Lanes lanes, Outcome outcome) {
        super(remote, bound);
        this.ours = ours;
        this.lanes = lanes;
        this.outcome = outcome;
    }

    @Override
    void begin(ChannelHandlerContext context) {
        // the other side speaks first
    }

    @Override
    void preamble(ChannelHandlerContext context, Preamble theirs) {
        OptionalInt version = ours.common(theirs);
        Optional<Lane> wanted = theirs.lane();
        ByteBuf answer = context.alloc().buffer(Preamble.BYTES);
        ours.write(answer); // it shall know our range, whatever it spoke
        if (version.isEmpty() || wanted.isEmpty()) {
            String expected = version.isEmpty() ? "one of ours, " + ours : "a lane that is known here";
            refuse(
                    context,
                    answer,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": it speaks protocol " + theirs + " (expected: "
                            + expected + "); install the same release on both sides"),
                    Connections.Refusal.FOREIGN);
            return;
        }
        lane = wanted.get();
        context.writeAndFlush(answer, context.voidPromise());
    }

    @Override
    void frame(ChannelHandlerContext context, HandshakeFrame frame) {
        if (frame.kind() != HandshakeFrame.Kind.HELLO) {
            throw new IllegalArgumentException("a handshake of kind " + frame.kind() + " (expected: HELLO)");
        }
        String name = frame.body().takeText();
        Optional<Lanes.ScopeKey> scope = lanes.scope(name);
        if (scope.isEmpty()) {
            ErrorCode code = ErrorCode.NO_ENDPOINT;
            String text = "scope '" + name
                    + "': none of that name (expected: an open one); has it ended, or is it another" + " process?";
            refuse(
                    context,
                    HandshakeFrame.write(context, HandshakeFrame.Kind.REFUSAL, out -> {
                        out.putText(code.name());
                        out.putText(text);
                    }),
                    code.failure(remote + ": it wants " + text),
                    Connections.Refusal.UNKNOWN_SCOPE);
            return;
        }
        context.writeAndFlush(
                HandshakeFrame.write(context, HandshakeFrame.Kind.WELCOME, out -> {}), context.voidPromise());
        succeed(
                context,
                () -> outcome.accepted(new Established(context.channel(), lane, name, remote, Established.PLAIN)));
    }

    @Override
    void refused(HearthException failure, Connections.Refusal reason) {
        outcome.refused(failure, reason);
    }

    /** Hears how it ended, once. */
    interface Outcome {
        void accepted(Established connection);

        void refused(HearthException failure, Connections.Refusal reason);
    }
}
