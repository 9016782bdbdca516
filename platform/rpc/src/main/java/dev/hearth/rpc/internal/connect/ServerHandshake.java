package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelBinding;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.rpc.internal.security.ProofTerms;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.Secret;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Handshake of the accepting process. It answers the preamble, then accepts or refuses the connection.
 * {@link LaneRouter} receives accepted connections.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class ServerHandshake extends Handshake {
    // one more than the maximum length of a scope name, to detect longer names
    private static final int NAME_CHARS_MAX = 201;
    private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9._:-]");

    private final Channel channel;
    private final Preamble ours;
    private final LaneRouter lanes;
    private final ChannelSecurity security;
    private final Outcome outcome;
    private Lane lane = Lane.MESSAGES;
    private int version;

    ServerHandshake(
            Channel channel,
            String remote,
            Duration bound,
            Duration left,
            Preamble ours,
            LaneRouter lanes,
            ChannelSecurity security,
            Outcome outcome) {
        super(remote, bound, left);
        this.channel = channel;
        this.ours = ours;
        this.lanes = lanes;
        this.security = security;
        this.outcome = outcome;
    }

    @Override
    void begin(ChannelHandlerContext context) {
        // nothing to send yet: the connecting process sends first
    }

    @Override
    void preamble(ChannelHandlerContext context, Preamble theirs) {
        OptionalInt common = ours.common(theirs);
        Optional<Lane> wanted = theirs.lane();
        ByteBuf answer = context.alloc().buffer(Preamble.BYTES);
        // send the preamble even before a refusal, so that the remote process learns the supported versions
        ours.write(answer);
        if (common.isEmpty() || wanted.isEmpty()) {
            String expected =
                    common.isEmpty() ? "one of " + ours : "a lane, messages or bulk data, that this" + " process knows";
            refuse(
                    context,
                    answer,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": the other side speaks protocol " + theirs + ""
                            + " (expected: "
                            + expected + "); install the same release on both sides"),
                    ConnectionLimiter.Refusal.FOREIGN);
            return;
        }
        lane = wanted.get();
        version = common.getAsInt();
        context.writeAndFlush(answer, context.voidPromise());
    }

    @Override
    void frame(ChannelHandlerContext context, HandshakeFrame frame) {
        switch (frame.kind()) {
            case HELLO -> acceptHello(context, name(frame));
            case PROVING_HELLO -> requireProof(context, name(frame));
            case WELCOME, REFUSAL, PROVE ->
                throw new IllegalArgumentException("a handshake of kind " + frame.kind() + " (expected: a hello)");
        }
    }

    /**
     * Answers a hello that offers no mutual proof: accepts the connection if the scope exists and has no secret, and
     * refuses it otherwise.
     */
    private void acceptHello(ChannelHandlerContext context, String name) {
        Optional<LaneRouter.ScopeKey> scope = lanes.scope(name);
        if (scope.isEmpty() && !security.authenticates()) {
            refuse(
                    context,
                    ErrorCode.NO_ENDPOINT,
                    "scope '" + name + "': no scope of that name (expected: an open scope); has its application"
                            + " ended, or is this the address of another process?",
                    ConnectionLimiter.Refusal.UNKNOWN_SCOPE);
        } else if (scope.flatMap(LaneRouter.ScopeKey::secret).isPresent() || scope.isEmpty()) {
            refuse(
                    context,
                    ErrorCode.NOT_AUTHENTICATED,
                    "scope '" + name + "': a proof of its secret is required, and none was offered (expected: the"
                            + " same secret on both sides); set hearth.authenticate=true and the secret on the side"
                            + " that connects",
                    ConnectionLimiter.Refusal.NOT_AUTHENTICATED);
        } else {
            Channel channel = context.channel();
            context.write(HandshakeFrame.write(context, HandshakeFrame.Kind.WELCOME, out -> {}), context.voidPromise());
            succeed(context, () -> outcome.accepted(established(context, scope.get(), false)));
            // flush last, after the handshake has ended: until then, new connections may evict this connection
            channel.flush();
        }
    }

    /**
     * Answers a hello that offers a mutual proof: requires the proof. The answer does not reveal whether the scope
     * exists.
     */
    private void requireProof(ChannelHandlerContext context, String name) {
        Optional<LaneRouter.ScopeKey> scope = lanes.scope(name);
        Optional<Secret> secret = scope.flatMap(LaneRouter.ScopeKey::secret);
        ChannelBinding tunnel = tunnel(context, ChannelBinding::accepting);
        if (scope.isPresent() && secret.isEmpty()) {
            refuse(
                    context,
                    ErrorCode.NOT_AUTHENTICATED,
                    "scope '" + name
                            + "': a proof of its secret was requested, but the listening process has no secret"
                            + " (expected:"
                            + " the same secret on both sides, or none on both); set hearth.authenticate to the"
                            + " same value on both sides",
                    ConnectionLimiter.Refusal.NOT_AUTHENTICATED);
        } else if (!tunnel.encrypted() && security.encryptsWhatIsProved()) {
            refuse(
                    context,
                    PlaintextRefusals.refusal(context),
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": the connection is without TLS (expected: TLS"
                            + " 1.3, which scope '" + name + "' requires); set hearth.rpc.trustedNetwork to the"
                            + " same value on both sides"),
                    ConnectionLimiter.Refusal.NOT_AUTHENTICATED);
        } else {
            ProofTerms terms = new ProofTerms(lane.name(), name, version, tunnel);
            answer(context, HandshakeFrame.Kind.PROVE);
            prove(
                    context,
                    ending -> security.admitting(terms, secret, remote, ending),
                    () -> outcome.accepted(established(context, scope.orElseThrow(), true)));
        }
    }

    /**
     * Returns the requested scope name for display. Replaces invalid characters, which could forge log lines or move
     * the cursor of a terminal.
     */
    private static String name(HandshakeFrame frame) {
        String name = frame.body().takeText();
        String shown = name.substring(0, Math.min(name.length(), NAME_CHARS_MAX));
        return NO_NAME.matcher(shown).replaceAll("?");
    }

    private EstablishedConnection established(
            ChannelHandlerContext context, LaneRouter.ScopeKey scope, boolean proved) {
        boolean encrypted = tunnel(context, ChannelBinding::accepting).encrypted();
        return new EstablishedConnection(
                context.channel(), lane, scope, remote, EstablishedConnection.security(encrypted, proved));
    }

    private static void answer(ChannelHandlerContext context, HandshakeFrame.Kind kind) {
        context.writeAndFlush(HandshakeFrame.write(context, kind, out -> {}), context.voidPromise());
    }

    private void refuse(ChannelHandlerContext context, ErrorCode code, String text, ConnectionLimiter.Refusal reason) {
        refuse(
                context,
                HandshakeFrame.refusal(context, code, text),
                code.failure(remote + ": the other side requests " + text),
                reason);
    }

    @Override
    void refused(HearthException failure, ConnectionLimiter.Refusal reason) {
        outcome.refused(channel, failure, reason);
    }

    /** Callback for the outcome of the handshake, called once. */
    interface Outcome {
        void accepted(EstablishedConnection connection);

        void refused(Channel channel, HearthException failure, ConnectionLimiter.Refusal reason);
    }
}
