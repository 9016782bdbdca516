package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/** Cuts what arrives into frames for a peer, from its handshake to its loss. Owned by the channel's event loop. */
final class FrameHandler extends ByteToMessageDecoder {
    private final NettyPeer peer;
    private final int frameBytesMax;

    FrameHandler(NettyPeer peer, int frameBytesMax) {
        this.peer = peer;
        this.frameBytesMax = frameBytesMax;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (peer.isLost()) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < FrameWriter.LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 1 || length > frameBytesMax) {
            peer.lose("it sent a frame of " + Integer.toUnsignedString(length) + " bytes (expected: 1 to "
                    + frameBytesMax + "); hearth.rpc.message.maxSize is to be the same on both sides");
            return;
        }
        if (in.readableBytes() - FrameWriter.LENGTH_BYTES < length) {
            return;
        }
        in.skipBytes(FrameWriter.LENGTH_BYTES);
        peer.receive(in.readSlice(length));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context); // hands over the frames that are still here
        peer.lose("the other side closed the connection");
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        peer.resumeWriting();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        peer.fail(cause);
    }
}
