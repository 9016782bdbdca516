package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;

/**
 * Flow control of a loopback connection, because Netty's local transport has none of its own. This class bounds the
 * bytes that one end has written and the other end has not read, as socket buffers do. Owned by the thread that serves
 * both ends.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write is also a channel event
final class LoopbackFlowControl extends ChannelDuplexHandler {
    private static final long UNREAD_BYTES_MAX = 256 * 1024;
    private static final int WRITABILITY = 1; // index of the only user-defined writability flag of the channel

    private final Channel channel;
    private long unreadBytes;

    LoopbackFlowControl(Channel channel) {
        this.channel = channel;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise written) {
        Batch batch = new Batch((ByteBuf) message, this);
        unreadBytes += batch.bytes;
        if (unreadBytes > UNREAD_BYTES_MAX) {
            allowWriting(false);
        }
        context.write(batch, written);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Batch batch = (Batch) message;
        batch.from.read(batch.bytes);
        context.fireChannelRead(batch.content());
    }

    private void read(int bytes) {
        unreadBytes -= bytes;
        if (unreadBytes <= UNREAD_BYTES_MAX / 2) {
            allowWriting(true);
        }
    }

    private void allowWriting(boolean allowed) {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        if (waiting != null) { // null: closed
            waiting.setUserDefinedWritability(WRITABILITY, allowed);
        }
    }

    /**
     * Bytes that one end of the connection has written and the other has not read. {@code from}, the flow control of
     * the writing end, is notified when they are read.
     */
    private static final class Batch extends DefaultByteBufHolder {
        private final LoopbackFlowControl from;
        private final int bytes;

        Batch(ByteBuf content, LoopbackFlowControl from) {
            super(content);
            this.from = from;
            this.bytes = content.readableBytes();
        }
    }
}
