package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandler;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks the bytes that a connection has written and the socket has not yet accepted. Their maximum is small, so that a
 * slow reader costs little memory. Owned by the channel's event loop; other threads read its counts.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class SendWindow {
    private final ChannelHandlerContext context;
    private final Ticker ticker;
    private final boolean zeroCopy;
    private final Runnable room;
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong sentFrames = new AtomicLong();
    private final AtomicLong queuedBytes = new AtomicLong(); // written by the event loop only
    private long progressNanos;

    /**
     * Creates an empty window. {@code room} runs whenever the socket has accepted bytes, so that more can be written.
     */
    SendWindow(ChannelHandlerContext context, Ticker ticker, Runnable room) {
        this.context = context;
        this.ticker = ticker;
        this.room = room;
        this.progressNanos = ticker.nanos();
        this.zeroCopy = canPassFiles(context.channel());
    }

    /**
     * Whether the operating system can send files directly to the socket of {@code channel}. It cannot if a handler
     * must process the sent bytes, as TLS does.
     */
    private static boolean canPassFiles(Channel channel) {
        return channel.pipeline().toMap().values().stream().noneMatch(ChannelOutboundHandler.class::isInstance);
    }

    boolean zeroCopy() {
        return zeroCopy;
    }

    boolean hasRoom() {
        return queuedBytes.get() < BulkLimits.QUEUED_BYTES_MAX
                && context.channel().isActive();
    }

    boolean isEmpty() {
        return queuedBytes.get() == 0;
    }

    long queuedBytes() {
        return queuedBytes.get();
    }

    long sentBytes() {
        return sentBytes.get();
    }

    /** Returns the number of frames, including chunks, that the socket has accepted. */
    long sentFrames() {
        return sentFrames.get();
    }

    /**
     * Returns the time of the last progress in sending: when the socket last accepted bytes, or when bytes were first
     * written to an empty window. In nanoseconds of the monotonic clock.
     */
    long progressNanos() {
        return progressNanos;
    }

    ByteBufAllocator allocator() {
        return context.alloc();
    }

    /** Writes a frame other than a chunk, without flushing. */
    void write(BulkFrameKind kind, byte[] body) {
        count(
                context.write(BulkWireFormat.frame(context.alloc(), kind, body)),
                BulkFrameKind.HEAD_BYTES + body.length,
                false);
    }

    /** Writes a chunk, without flushing. */
    void writeChunk(ContentSource.Chunk chunk, int length) {
        ByteBuf head = context.alloc().ioBuffer(BulkFrameKind.CHUNK_HEAD_BYTES);
        context.write(BulkFrameKind.CHUNK.begin(head, length).writeInt(chunk.checksum()), context.voidPromise());
        count(context.write(chunk.message()), length, true);
    }

    private void count(ChannelFuture writing, int bytes, boolean content) {
        if (isEmpty()) {
            progressNanos = ticker.nanos();
        }
        queuedBytes.addAndGet(bytes);
        writing.addListener(written -> {
            queuedBytes.addAndGet(-bytes);
            progressNanos = ticker.nanos();
            if (written.isSuccess()) {
                sentBytes.addAndGet(content ? bytes : 0);
                sentFrames.incrementAndGet();
                room.run();
            }
        });
    }

    void flush() {
        context.flush();
    }
}
