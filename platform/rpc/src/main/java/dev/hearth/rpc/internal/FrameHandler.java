package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Arrays;

/**
 * Splits the bytes received from one peer into frames, from the handshake to the end of the connection. Owned by the
 * channel's event loop.
 *
 * <p>Bytes are copied once, into an array that all channels of an I/O thread share. A channel keeps only the bytes of
 * an incomplete frame, in an array that grows with the bytes received, not with the declared length.
 */
final class FrameHandler extends ChannelInboundHandlerAdapter {
    private static final int SHARED_BYTES = 64 * 1024;
    private static final int KEPT_BYTES_MAX = 64 * 1024;
    private static final byte[] NOTHING = {};
    private static final FastThreadLocal<byte[]> SHARED = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[SHARED_BYTES];
        }
    };

    private final NettyPeer peer;
    private final int frameBytesMax;
    private byte[] partial = NOTHING;
    private int partialBytes;

    FrameHandler(NettyPeer peer, int frameBytesMax) {
        this.peer = peer;
        this.frameBytesMax = frameBytesMax;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            int bytes = in.readableBytes();
            peer.beginRead(bytes);
            if (partialBytes > 0) {
                append(in, bytes);
                byte[] whole = partial;
                int end = partialBytes;
                partialBytes = 0;
                keep(whole, split(whole, end), end);
            } else {
                byte[] shared = SHARED.get();
                byte[] whole = bytes <= shared.length ? shared : new byte[bytes];
                in.readBytes(whole, 0, bytes);
                keep(whole, split(whole, bytes), bytes);
            }
        } finally {
            in.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        peer.endRead();
        context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        peer.closedRemotely();
        context.fireChannelInactive();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        peer.resumeWriting();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        peer.channelFailed(cause);
    }

    /**
     * Passes all complete frames at the beginning of {@code bytes} to the peer. Returns the position of the first
     * incomplete frame.
     */
    private int split(byte[] bytes, int end) {
        int at = 0;
        while (end - at >= FrameWriter.LENGTH_BYTES && !peer.isLost()) {
            int length = length(bytes, at);
            if (length < 1 || length > frameBytesMax) {
                peer.protocolError("the other side sent a frame of " + Integer.toUnsignedString(length) + " bytes"
                        + " (expected: 1 to "
                        + frameBytesMax + "); hearth.rpc.message.maxSize must be the same on both sides");
                return end;
            }
            int begin = at + FrameWriter.LENGTH_BYTES;
            if (end - begin < length) {
                break;
            }
            peer.receive(bytes, begin, begin + length);
            at = begin + length;
        }
        return peer.isLost() ? end : at;
    }

    private void append(ByteBuf in, int bytes) {
        if (partial.length - partialBytes < bytes) {
            long doubled =
                    Math.min(2L * partial.length, frameBytesMax + (long) FrameWriter.LENGTH_BYTES + SHARED_BYTES);
            partial = Arrays.copyOf(partial, (int) Math.max(doubled, partialBytes + bytes));
        }
        in.readBytes(partial, partialBytes, bytes);
        partialBytes += bytes;
    }

    /** Keeps an incomplete frame until more bytes arrive. */
    private void keep(byte[] bytes, int from, int end) {
        int left = end - from;
        if (left == 0) {
            partial = NOTHING;
        } else if (bytes == partial && (from == 0 || bytes.length <= KEPT_BYTES_MAX)) {
            System.arraycopy(bytes, from, partial, 0, left);
        } else {
            partial = Arrays.copyOfRange(bytes, from, end);
        }
        partialBytes = left;
    }

    private static int length(byte[] bytes, int at) {
        return (bytes[at] << 24)
                | ((bytes[at + 1] & 0xFF) << 16)
                | ((bytes[at + 2] & 0xFF) << 8)
                | (bytes[at + 3] & 0xFF);
    }
}
