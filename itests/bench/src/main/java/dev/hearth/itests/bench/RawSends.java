package dev.hearth.itests.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The limit of W7c: frames of a length and 72 bytes, written by the event loop as fast as the socket takes them, until the
 * receiver has counted them all. {@code server port=N}, {@code client port=N calls=N reps=N}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection, which ends the waiting
final class RawSends {
    private static final int BODY_BYTES = 72;
    private static final int LENGTH_BYTES = Integer.BYTES;
    private static final int FRAME_BYTES_MAX = 1 << 20;
    private static final int FRAMES_FACTOR = 50;
    private static final long REPETITION_SECONDS_MAX = 120;

    private RawSends() {}

    public static void main(String[] words) throws Exception {
        BenchArguments arguments = BenchArguments.of(words);
        switch (arguments.role()) {
            case SERVER -> {
                try (RawNetty server = RawNetty.listening(arguments.port(), () -> handlers(new Counter()))) {
                    server.awaitEnd();
                }
            }
            case CLIENT -> {
                Sender sender = new Sender();
                try (RawNetty client = RawNetty.connected(arguments.port(), () -> handlers(sender))) {
                    long frames = (long) arguments.calls() * FRAMES_FACTOR;
                    for (int i = 0; i <= arguments.repetitions(); i++) {
                        Meter meter = new Meter();
                        long counted = sender.send(client.channel(), frames);
                        if (counted != frames) {
                            throw new IllegalStateException(
                                    "frames: " + counted + " received (expected: " + frames + ")");
                        }
                        meter.report("W7c", "send;body=64|netty;event-loop", i, frames, "msg/s", "");
                    }
                }
            }
        }
    }

    private static ChannelHandler[] handlers(ChannelHandler last) {
        return new ChannelHandler[] {
            new LengthFieldBasedFrameDecoder(FRAME_BYTES_MAX, 0, LENGTH_BYTES, 0, LENGTH_BYTES), last
        };
    }

    /** Counts frames; an empty one asks for the count. Owned by the event loop. */
    private static final class Counter extends ChannelInboundHandlerAdapter {
        private long frames;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf frame = (ByteBuf) message;
            if (frame.isReadable()) {
                frames++;
            } else {
                context.writeAndFlush(context.alloc()
                        .buffer(LENGTH_BYTES + Long.BYTES)
                        .writeInt(Long.BYTES)
                        .writeLong(frames));
                frames = 0;
            }
            frame.release();
        }
    }

    /** Writes while the channel is writable, and goes on when it is again. Owned by the event loop. */
    private static final class Sender extends ChannelInboundHandlerAdapter {
        private CompletableFuture<Long> counted = new CompletableFuture<>();
        private long left;
        private boolean writing;
        private boolean asked;

        long send(Channel channel, long frames) throws Exception {
            CompletableFuture<Long> result = new CompletableFuture<>();
            channel.eventLoop().execute(() -> {
                counted = result;
                left = frames;
                asked = false;
                write(channel);
            });
            return result.get(REPETITION_SECONDS_MAX, TimeUnit.SECONDS);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf frame = (ByteBuf) message;
            counted.complete(frame.readLong());
            frame.release();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            write(context.channel());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            counted.completeExceptionally(new IllegalStateException("connection: closed before the count came"));
        }

        private void write(Channel channel) {
            if (writing) {
                return; // flushing made the channel writable again: the loop below goes on
            }
            writing = true;
            while (left > 0 && channel.isWritable()) {
                for (; left > 0 && channel.isWritable(); left--) {
                    channel.write(
                            channel.alloc()
                                    .directBuffer(LENGTH_BYTES + BODY_BYTES)
                                    .writeInt(BODY_BYTES)
                                    .writeZero(BODY_BYTES),
                            channel.voidPromise());
                }
                channel.flush();
            }
            if (left == 0 && !asked) {
                asked = true;
                channel.writeAndFlush(channel.alloc().buffer(LENGTH_BYTES).writeInt(0), channel.voidPromise());
            }
            writing = false;
        }
    }
}
