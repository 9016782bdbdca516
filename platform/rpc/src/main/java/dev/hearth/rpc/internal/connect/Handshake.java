package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.WireFault;
import dev.hearth.rpc.internal.security.ChannelBinding;
import dev.hearth.rpc.internal.security.ProofHandler;
import dev.hearth.rpc.internal.security.TlsErrorMessages;
import dev.hearth.spi.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Base of both sides of the handshake: first the preambles, then handshake frames, within a time limit. No message is
 * decoded before the handshake succeeds. Afterwards the handlers for messages or bulk data replace this handler.
 *
 * <p>The handshake ends once. Owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
abstract class Handshake extends ByteToMessageDecoder {
    final String remote;
    private final Duration bound;
    private final Duration left;
    private boolean started;
    private boolean finished;
    private @Nullable Preamble theirs;
    private @Nullable Future<?> timer;

    /**
     * Creates a handshake. {@code bound} is the time limit of the whole handshake, for error texts; {@code left} is the
     * time that remains of it.
     */
    Handshake(String remote, Duration bound, Duration left) {
        this.remote = remote;
        this.bound = bound;
        this.left = left;
    }

    /** Begins the handshake. Called when the channel is connected. */
    abstract void begin(ChannelHandlerContext context);

    /** Handles the preamble of the remote process. */
    abstract void preamble(ChannelHandlerContext context, Preamble theirPreamble);

    abstract void frame(ChannelHandlerContext context, HandshakeFrame frame);

    /**
     * Reports that the handshake has failed, with the reason for the caller and the one to count. Called at most once;
     * the channel is closed or closing.
     */
    abstract void refused(HearthException failure, ConnectionLimiter.Refusal reason);

    @Override
    public final void handlerAdded(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            start(context);
        }
    }

    @Override
    public final void channelActive(ChannelHandlerContext context) {
        start(context);
        context.fireChannelActive();
    }

    @Override
    protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (finished) {
            in.skipBytes(in.readableBytes()); // ignore the bytes: the handshake was refused, and the channel is closing
            return;
        }
        try {
            if (theirs == null) {
                decodePreamble(context, in);
            } else {
                Optional<HandshakeFrame> whole = HandshakeFrame.read(in);
                if (whole.isPresent()) {
                    frame(context, whole.get());
                }
            }
        } catch (IllegalArgumentException | WireFault malformed) {
            refuse(
                    context,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": the other side sent"
                            + " " + malformed.getMessage() + "; is the other side another program, or another"
                            + " release of Hearth?"),
                    ConnectionLimiter.Refusal.FOREIGN);
        }
    }

    @Override
    public final void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(
                        remote + ": the other side closed the connection during the handshake (expected: a Hearth"
                                + " process that listens there); is that process stopping, or does another program"
                                + " use the port?"),
                ConnectionLimiter.Refusal.BROKEN);
    }

    @Override
    public final void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done && !done.isSuccess()) {
            if (done.cause() instanceof ClosedChannelException) {
                refuse(context, TlsErrorMessages.closed(remote), ConnectionLimiter.Refusal.BROKEN);
            } else {
                exceptionCaught(context, done.cause());
            }
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Optional<HearthException> tls = TlsErrorMessages.describe(remote, cause);
        if (tls.isPresent()) {
            refuse(context, tls.get(), ConnectionLimiter.Refusal.NOT_AUTHENTICATED);
            return;
        }
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(
                        remote + ": " + NetworkErrorMessages.describe(cause)
                                + " during the handshake (expected: a Hearth process that listens there)",
                        cause),
                ConnectionLimiter.Refusal.BROKEN);
    }

    /** Fails the handshake, unless it has ended: reports the failure and closes the channel. */
    final void refuse(ChannelHandlerContext context, HearthException failure, ConnectionLimiter.Refusal reason) {
        if (finish()) {
            refused(failure, reason); // report before the remote process can notice the refusal
            context.channel().close();
        }
    }

    /** Fails the handshake after writing {@code last}, which states the reason to the remote process. */
    final void refuse(
            ChannelHandlerContext context, ByteBuf last, HearthException failure, ConnectionLimiter.Refusal reason) {
        if (finish()) {
            refused(failure, reason); // report before the remote process can notice the refusal
            context.writeAndFlush(last).addListener(written -> context.close());
        } else {
            last.release();
        }
    }

    /**
     * Ends the handshake successfully. {@code handOver} adds the handlers for messages or bulk data, which get the
     * bytes received after the handshake.
     */
    final void succeed(ChannelHandlerContext context, Runnable handOver) {
        if (finish()) {
            handOver.run();
            context.pipeline().remove(this);
        }
    }

    /**
     * Replaces this handler by the handler of the mutual proof, which must end within the remaining time. After a
     * successful proof, {@code handOver} adds the handlers for messages or bulk data.
     */
    final void prove(
            ChannelHandlerContext context, Function<ProofHandler.Outcome, ProofHandler> proof, Runnable handOver) {
        context.pipeline().addAfter(context.name(), "proof", proof.apply(new ProofHandler.Outcome() {
            @Override
            public void proved(ChannelHandlerContext proving) {
                if (finish()) {
                    handOver.run();
                    proving.pipeline().remove(proving.handler());
                }
            }

            @Override
            public void refused(HearthException failure) {
                if (finish()) {
                    Handshake.this.refused(failure, ConnectionLimiter.Refusal.NOT_AUTHENTICATED);
                }
            }
        }));
        context.pipeline().remove(this);
    }

    /**
     * Returns the channel binding of the connection: hashes of its TLS certificates, or {@code NONE} without TLS.
     * {@code side} computes it for the connecting or the accepting side. The certificates are known, because the first
     * bytes arrive after the TLS handshake.
     */
    final ChannelBinding tunnel(ChannelHandlerContext context, Function<SSLSession, ChannelBinding> side) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        return tls == null ? ChannelBinding.NONE : side.apply(tls.engine().getSession());
    }

    private void decodePreamble(ChannelHandlerContext context, ByteBuf in) {
        if (!Preamble.begins(in)) {
            refuse(
                    context,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": the other side sent " + ProtocolGuess.describe(in)
                            + " (expected: a Hearth process); is this the right port?"),
                    ConnectionLimiter.Refusal.FOREIGN);
        } else if (in.readableBytes() >= Preamble.BYTES) {
            Preamble read = Preamble.read(in);
            theirs = read;
            preamble(context, read);
        }
    }

    private void start(ChannelHandlerContext context) {
        if (!started) {
            started = true;
            timer = context.executor().schedule(() -> expire(context), left.toMillis(), TimeUnit.MILLISECONDS);
            begin(context);
        }
    }

    private void expire(ChannelHandlerContext context) {
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(remote + ": no handshake within " + bound.toMillis()
                        + " ms of the connection (expected: a Hearth process); does that process hang, or"
                        + " does another program use the port?"),
                ConnectionLimiter.Refusal.TIMED_OUT);
    }

    private boolean finish() {
        if (finished) {
            return false;
        }
        finished = true;
        if (timer != null) {
            timer.cancel(false);
        }
        return true;
    }
}
