package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.TlsErrorMessages;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects the protocol of an accepted connection from its first bytes: Hearth's own protocol, HTTP, or TLS around one
 * of the two. Replaces itself with the handler of that protocol, which also gets the first bytes. Owned by the
 * channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class ProtocolDetector extends ByteToMessageDecoder {
    private final ConnectionAcceptor arrivals;
    private final String remote;
    private final long arrivedNanos;
    private final boolean encrypted;
    private @Nullable Future<?> timer;
    private boolean decided;

    ProtocolDetector(ConnectionAcceptor arrivals, String remote, long arrivedNanos, boolean encrypted) {
        this.arrivals = arrivals;
        this.remote = remote;
        this.arrivedNanos = arrivedNanos;
        this.encrypted = encrypted;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        timer = context.executor()
                .schedule(() -> expire(context), arrivals.left(arrivedNanos).toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (decided) {
            in.skipBytes(in.readableBytes()); // refused, and closing
        } else if (Preamble.begins(in)) {
            if (in.readableBytes() >= Preamble.MAGIC_BYTES) {
                ours(context);
            }
        } else if (!encrypted && ProtocolGuess.mayBeTls(in)) {
            if (ProtocolGuess.isTls(in)) {
                encrypt(context);
            }
        } else if (ProtocolGuess.mayBeHttp(in)) {
            if (ProtocolGuess.isHttp(in)) {
                http(context);
            }
        } else {
            refuse(
                    context,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + foreign(in)),
                    ConnectionLimiter.Refusal.FOREIGN);
        }
    }

    private static String foreign(ByteBuf in) {
        return ProtocolGuess.isSpark(in)
                ? ": a client that speaks the RPC of Spark (expected: a Hearth process, or Spark's REST protocol); run"
                        + " spark-submit with --conf spark.master.rest.enabled=true"
                : ": the other side sent " + ProtocolGuess.describe(in)
                        + " (expected: a Hearth process); is this the right port?";
    }

    private void ours(ChannelHandlerContext context) {
        if (!encrypted && arrivals.security().encrypts()) {
            refuse(context, PlaintextRefusals.ofProtocol(context, Preamble.OURS));
        } else {
            handOver(
                    context,
                    () -> context.pipeline()
                            .addLast("handshake", arrivals.handshake(context.channel(), remote, arrivedNanos)));
        }
    }

    private void encrypt(ChannelHandlerContext context) {
        SslHandler tls = arrivals.security().accepting();
        handOver(
                context,
                () -> context.pipeline()
                        .addLast("tls", tls)
                        .addLast("first-bytes-inside", new ProtocolDetector(arrivals, remote, arrivedNanos, true)));
    }

    private void http(ChannelHandlerContext context) {
        if (!encrypted && !arrivals.takesPlainHttp()) {
            refuse(context, PlaintextRefusals.ofHttp(context));
        } else {
            String security = encrypted ? EstablishedConnection.TLS : EstablishedConnection.PLAIN;
            handOver(
                    context,
                    () -> arrivals.accepted(new EstablishedConnection(
                            context.channel(), Lane.HTTP, EstablishedConnection.NO_SCOPE, remote, security)));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(remote + ": the other side closed the connection before it sent"
                        + " anything"
                        + " (expected: a Hearth process)"),
                ConnectionLimiter.Refusal.BROKEN);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done && !done.isSuccess()) {
            exceptionCaught(context, done.cause());
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Optional<HearthException> tls = TlsErrorMessages.describe(remote, cause);
        refuse(
                context,
                tls.orElseGet(() -> ErrorCode.PEER_UNREACHABLE.failure(
                        remote + ": " + NetworkErrorMessages.describe(cause)
                                + " before the other side sent anything (expected: a Hearth process)",
                        cause)),
                tls.isPresent() ? ConnectionLimiter.Refusal.NOT_AUTHENTICATED : ConnectionLimiter.Refusal.BROKEN);
    }

    private void expire(ChannelHandlerContext context) {
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(remote + ": the other side sent nothing within "
                        + arrivals.bound().toMillis()
                        + " ms of the connection (expected: a Hearth process); does that process hang?"),
                ConnectionLimiter.Refusal.TIMED_OUT);
    }

    private void handOver(ChannelHandlerContext context, Runnable add) {
        if (decide()) {
            add.run();
            context.pipeline().remove(this); // removing this handler passes on the bytes received so far
        }
    }

    private void refuse(ChannelHandlerContext context, HearthException failure, ConnectionLimiter.Refusal reason) {
        if (decide()) {
            arrivals.refused(context.channel(), failure, reason);
            context.close();
        }
    }

    /**
     * Refuses a connection because it is without TLS. {@code last} is the refusal to write before the connection
     * closes; it states the reason.
     */
    private void refuse(ChannelHandlerContext context, ByteBuf last) {
        if (!decide()) {
            last.release();
            return;
        }
        arrivals.refused(
                context.channel(),
                ErrorCode.PROTOCOL_MISMATCH.failure(remote
                        + ": the connection is without TLS (expected: TLS 1.3, which this process requires); set"
                        + " hearth.authenticate and hearth.ssl.rpc.enabled to the same values on both sides"),
                ConnectionLimiter.Refusal.NOT_AUTHENTICATED);
        context.writeAndFlush(last).addListener(written -> context.close());
    }

    private boolean decide() {
        if (decided) {
            return false;
        }
        decided = true;
        if (timer != null) {
            timer.cancel(false);
        }
        return true;
    }
}
