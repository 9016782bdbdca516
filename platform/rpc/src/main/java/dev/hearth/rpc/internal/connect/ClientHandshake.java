package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelBinding;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.rpc.internal.security.ProofTerms;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.Secret;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Handshake of the connecting process. It sends its protocol versions, the lane (messages or bulk data) and the scope
 * (application). The accepting process then accepts the connection, asks for a mutual proof, or refuses.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class ClientHandshake extends Handshake {
    private final Preamble ours;
    private final Lane lane;
    private final LaneRouter.ScopeKey scope;
    private final ChannelSecurity security;
    private final Outcome outcome;
    private int version;

    ClientHandshake(
            String remote,
            Duration bound,
            Preamble ours,
            Lane lane,
            LaneRouter.ScopeKey scope,
            ChannelSecurity security,
            Outcome outcome) {
        super(remote, bound, bound);
        this.ours = ours.on(lane);
        this.lane = lane;
        this.scope = scope;
        this.security = security;
        this.outcome = outcome;
    }

    @Override
    void begin(ChannelHandlerContext context) {
        ByteBuf first = context.alloc().buffer();
        ours.write(first);
        HandshakeFrame.Kind kind =
                scope.secret().isPresent() ? HandshakeFrame.Kind.PROVING_HELLO : HandshakeFrame.Kind.HELLO;
        ByteBuf hello = HandshakeFrame.write(context, kind, out -> out.putText(scope.name()));
        try {
            first.writeBytes(hello);
        } finally {
            hello.release();
        }
        context.writeAndFlush(first, context.voidPromise());
    }

    @Override
    void preamble(ChannelHandlerContext context, Preamble theirs) {
        OptionalInt common = ours.common(theirs);
        if (common.isPresent()) {
            version = common.getAsInt();
        } else {
            refuse(
                    context,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": the other side speaks protocol " + theirs
                            + " (expected: one of " + ours + "); install the same release on both sides"),
                    ConnectionLimiter.Refusal.FOREIGN);
        }
    }

    @Override
    void frame(ChannelHandlerContext context, HandshakeFrame frame) {
        switch (frame.kind()) {
            case WELCOME -> welcomed(context);
            case PROVE -> prove(context, scope.secret().orElseThrow(() -> unexpected(frame)));
            case REFUSAL -> {
                String code = frame.body().takeText();
                // reason for display: its control characters are removed
                String text = frame.body().takeText().replaceAll("\\p{Cntrl}", " ");
                refuse(context, new HearthException(code, remote + ": " + text), ConnectionLimiter.Refusal.BROKEN);
            }
            case HELLO, PROVING_HELLO -> throw unexpected(frame);
        }
    }

    private void welcomed(ChannelHandlerContext context) {
        if (scope.secret().isPresent()) {
            refuse(
                    context,
                    ErrorCode.NOT_AUTHENTICATED.failure(remote + ": the other side neither requests nor offers a"
                            + " proof of the"
                            + " secret of scope '" + scope.name()
                            + "' (expected: both, because this process has a secret); set hearth.authenticate to"
                            + " the same value on both sides"),
                    ConnectionLimiter.Refusal.NOT_AUTHENTICATED);
        } else {
            succeed(context, () -> outcome.connected(established(context, false)));
        }
    }

    private void prove(ChannelHandlerContext context, Secret secret) {
        ProofTerms terms =
                new ProofTerms(lane.name(), scope.name(), version, tunnel(context, ChannelBinding::connecting));
        prove(
                context,
                ending -> security.proving(terms, secret, remote, ending),
                () -> outcome.connected(established(context, true)));
    }

    private EstablishedConnection established(ChannelHandlerContext context, boolean proved) {
        boolean encrypted = tunnel(context, ChannelBinding::connecting).encrypted();
        return new EstablishedConnection(
                context.channel(), lane, scope, remote, EstablishedConnection.security(encrypted, proved));
    }

    private static IllegalArgumentException unexpected(HandshakeFrame frame) {
        return new IllegalArgumentException("a handshake of kind " + frame.kind() + " (expected: a welcome, a"
                + " request of a proof, or a refusal)");
    }

    @Override
    void refused(HearthException failure, ConnectionLimiter.Refusal reason) {
        outcome.refused(failure);
    }

    /** Callback for the outcome of the handshake, called once. */
    interface Outcome {
        /**
         * Receives the connection after a successful handshake, and adds the handlers for messages or bulk data to its
         * pipeline.
         */
        void connected(EstablishedConnection connection);

        void refused(HearthException failure);
    }
}
