package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells by its first bytes what an accepted connection speaks - our protocol or HTTP - and makes room for the handler of
 * that, which gets the bytes. Lives in the pipeline until then; owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class FirstBytes extends ByteToMessageDecoder {
    private final Arrivals arrivals;
    private final String remote;
    private @Nullable Future<?> timer;
    private boolean decided;

    FirstBytes(Arrivals arrivals, String remote) {
        this.arrivals = arrivals;
        this.remote = remote;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        long boundMillis = arrivals.settings().times().handshake().toMillis();
        timer = context.executor().schedule(() -> expire(context, boundMillis), boundMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (decided) {
            return;
        }
        if (Preamble.begins(in)) {
            if (in.readableBytes() >= Preamble.MAGIC_BYTES) {
                handOver(context, () -> context.pipeline().addLast("handshake", arrivals.handshake(remote)));
            }
        } else if (ForeignBytes.mayBeHttp(in)) {
            if (ForeignBytes.isHttp(in)) {
                handOver(
                        context,
                        () -> arrivals.accepted(
                                new Established(context.channel(), Lane.HTTP, "", remote, Established.PLAIN)));
            }
        } else {
            refuse(
                    context,
                    ErrorCode.PROTOCOL_MISMATCH.failure(remote + ": it sent " + ForeignBytes.describe(in)
                            + " (expected: a Hearth process); is this the right port?"),
                    Connections.Refusal.FOREIGN);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(remote + ": it closed the connection before it said anything"
                        + " (expected: a Hearth process)"),
                Connections.Refusal.BROKEN);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(remote + ": " + IoReasons.describe(cause)
                        + " before it said anything (expected: a Hearth process)"),
                Connections.Refusal.BROKEN);
    }

    private void expire(ChannelHandlerContext context, long boundMillis) {
        refuse(
                context,
                ErrorCode.PEER_UNREACHABLE.failure(remote + ": it said nothing within " + boundMillis
                        + " ms of the connection (expected: a Hearth process); is it hung?"),
                Connections.Refusal.TIMED_OUT);
    }

    private void handOver(ChannelHandlerContext context, Runnable add) {
        if (decide()) {
            add.run();
            context.pipeline().remove(this); // hands on what has arrived
        }
    }

    private void refuse(ChannelHandlerContext context, HearthException failure, Connections.Refusal reason) {
        if (decide()) {
            context.close();
            arrivals.refused(failure, reason);
        }
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
