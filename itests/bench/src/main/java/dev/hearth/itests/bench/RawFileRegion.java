package dev.hearth.itests.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import java.io.File;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The limit of W7d: a file that Netty gives to the kernel whole, to a receiver that counts its bytes. {@code server port=N
 * file=F}, {@code client port=N bytes=N reps=N}; any byte from the client starts one transfer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection, which ends the waiting
final class RawFileRegion {
    private static final long REPETITION_SECONDS_MAX = 120;

    private RawFileRegion() {}

    public static void main(String[] words) throws Exception {
        BenchArguments arguments = BenchArguments.of(words);
        switch (arguments.role()) {
            case SERVER -> {
                File file = new File(arguments.text("file", ""));
                try (RawNetty server =
                        RawNetty.listening(arguments.port(), () -> new ChannelHandler[] {new Sender(file)})) {
                    server.awaitEnd();
                }
            }
            case CLIENT -> measure(arguments);
        }
    }

    private static void measure(BenchArguments arguments) throws Exception {
        long bytes = Long.parseLong(arguments.text("bytes", "0"));
        Counter counter = new Counter(bytes);
        try (RawNetty client = RawNetty.connected(arguments.port(), () -> new ChannelHandler[] {counter})) {
            for (int i = 0; i <= arguments.repetitions(); i++) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                Meter meter = new Meter();
                client.channel().eventLoop().submit(() -> counter.begin(done)).sync();
                client.channel()
                        .writeAndFlush(Unpooled.wrappedBuffer(new byte[1]))
                        .sync();
                done.get(REPETITION_SECONDS_MAX, TimeUnit.SECONDS);
                meter.report("W7d", "bulk;bytes=" + bytes + "|netty;file-region", i, bytes, "B/s", "");
            }
        }
    }

    private static final class Sender extends ChannelInboundHandlerAdapter {
        private final File file;

        Sender(File file) {
            this.file = file;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((ByteBuf) message).release();
            context.writeAndFlush(new DefaultFileRegion(file, 0, file.length())).addListener(sent -> {
                if (!sent.isSuccess()) {
                    sent.cause().printStackTrace();
                    context.close();
                }
            });
        }
    }

    /** Counts down the bytes of one transfer. Owned by the event loop. */
    private static final class Counter extends ChannelInboundHandlerAdapter {
        private final long bytes;
        private long left;
        private CompletableFuture<Void> done = new CompletableFuture<>();

        Counter(long bytes) {
            this.bytes = bytes;
        }

        void begin(CompletableFuture<Void> result) {
            left = bytes;
            done = result;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf content = (ByteBuf) message;
            left -= content.readableBytes();
            content.release();
            if (left == 0) {
                done.complete(null);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            done.completeExceptionally(
                    new IllegalStateException("connection: closed with " + left + " bytes to come (expected: none)"));
        }
    }
}
