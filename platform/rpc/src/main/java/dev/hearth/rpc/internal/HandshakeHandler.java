package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a connection: both sides say which protocol versions they speak, within a bounded time; nothing else
 * is decoded before. The accepting side speaks second, so that it can tell other protocols apart before it answers.
 * <p>Lives in the pipeline from connect until its outcome, which it tells once; owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class HandshakeHandler extends ByteToMessageDecoder {
    private final Side side;
    private final Preamble ours;
    private final Duration bound;
    private final String remote;
    private final Outcome outcome;
    private boolean started;
    private boolean finished;
    private @Nullable Future<?> timer;

    HandshakeHandler(Side side, Preamble ours, Duration bound, String remote, Outcome outcome) {
        this.side = side;
        this.ours = ours;
        this.bound = bound;
        this.remote = remote;
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            start(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        start(context);
        context.fireChannelActive();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (finished) {
            in.skipBytes(in.readableBytes());
        } else if (!Preamble.begins(in)) {
            refuse(
                    context,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": it sent " + ForeignBytes.describe(in)
                            + " (expected: a Hearth process); is this the right port?"));
        } else if (in.readableBytes() >= Preamble.BYTES) {
            agree(context, Preamble.read(in));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(
                        remote + ": it closed the connection before it said anything (expected: a Hearth process"
                                + " listening there); is it stopping, or is this another program's port?"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(
                        remote + ": " + IoReasons.describe(cause)
                                + " during the handshake (expected: a Hearth process listening there)",
                        cause));
    }

    private void start(ChannelHandlerContext context) {
        if (started) {
            return;
        }
        started = true;
        timer = context.executor().schedule(() -> expire(context), bound.toMillis(), TimeUnit.MILLISECONDS);
        if (side == Side.CONNECTING) {
            context.writeAndFlush(preamble(context), context.voidPromise());
        }
    }

    private void expire(ChannelHandlerContext context) {
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(
                        remote + ": no handshake within " + bound.toMillis()
                                + " ms of the connection (expected: a Hearth process); is it hung, or is this another program's port?"));
    }

    private void agree(ChannelHandlerContext context, Preamble theirs) {
        OptionalInt version = ours.common(theirs);
        if (side == Side.ACCEPTING) {
            ByteBuf answer = preamble(context);
            if (version.isEmpty()) {
                context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE); // it shall know our range too
            } else {
                context.writeAndFlush(answer, context.voidPromise());
            }
        }
        if (version.isPresent()) {
            finish();
            NettyPeer peer = outcome.agreed(context.channel(), version.getAsInt());
            context.pipeline()
                    .replace(this, "frames", peer.frameHandler()); // gets what has arrived behind the preamble
            return;
        }
        HearthException mismatch = ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": it speaks protocol " + theirs
                + " (expected: one of ours, " + ours + "); install the same release on both sides");
        if (side == Side.ACCEPTING) {
            finish();
            outcome.refused(mismatch);
        } else {
            refuse(context, mismatch);
        }
    }

    private void refuse(ChannelHandlerContext context, HearthException failure) {
        if (finished) {
            return;
        }
        finish();
        context.close();
        outcome.refused(failure);
    }

    private void finish() {
        finished = true;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private ByteBuf preamble(ChannelHandlerContext context) {
        ByteBuf bytes = context.alloc().buffer(Preamble.BYTES);
        ours.write(bytes);
        return bytes;
    }

    /** Who opened the connection. */
    enum Side {
        CONNECTING,
        ACCEPTING
    }

    /** Hears how the handshake ended, once, on the channel's event loop. */
    interface Outcome {
        /** Both sides speak {@code version}: gives the peer that takes the connection over. */
        NettyPeer agreed(Channel channel, int version);

        void refused(HearthException failure);
    }
}
