package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures a stream beside a raw transfer of the same file: {@code serve FILE MEBIBYTES} in one process prints two ports,
 * {@code measure RAW_PORT BULK_PORT MEBIBYTES ROUNDS} in another takes turns and prints MiB/s and their ratio.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a main that ends when it has printed
final class BulkSpeed {
    private BulkSpeed() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) {
            serve(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        } else {
            measure(
                    Integer.parseInt(arguments[1]),
                    Integer.parseInt(arguments[2]),
                    (long) BulkPair.MEBIBYTE * Integer.parseInt(arguments[3]),
                    Integer.parseInt(arguments[4]));
        }
    }

    private static void serve(Path path, int mebibytes) throws Exception {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < mebibytes; i++) {
                file.write(ByteBuffer.wrap(BulkPair.random(i, BulkPair.MEBIBYTE)));
            }
        }
        EventLoopGroup raw = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        BulkLane lane = new BulkLane(BulkPair.TIMES);
        BulkStreams streams = lane.open(address -> new CompletableFuture<>());
        streams.serve("file", StreamProvider.file(path));
        int rawPort = bind(raw, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new RawSender(path));
            }
        });
        int bulkPort = bind(raw, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                streams.accepted(channel, "client");
            }
        });
        System.out.println(rawPort + " " + bulkPort);
        System.in.read(); // until whoever started it closes that
        Files.delete(path);
        raw.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
        lane.close();
    }

    private static void measure(int rawPort, int bulkPort, long size, int rounds) throws Exception {
        EventLoopGroup raw = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        BulkLane lane = new BulkLane(BulkPair.TIMES);
        BulkStreams streams = lane.open(address -> {
            CompletableFuture<Channel> opened = new CompletableFuture<>();
            var connecting = BulkLane.prepare(new Bootstrap())
                    .group(lane.group())
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            // nothing between
                        }
                    })
                    .connect(address.host(), address.port());
            connecting.addListener(done -> opened.complete(connecting.channel()));
            return opened;
        });
        List<Double> usualRates = new ArrayList<>();
        List<Double> rawRates = new ArrayList<>();
        List<Double> bulkRates = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            usualRates.add(rate(size, rawFetch(raw, rawPort, size, false)));
            rawRates.add(rate(size, rawFetch(raw, rawPort, size, true)));
            bulkRates.add(rate(size, bulkFetch(streams, new RpcAddress("127.0.0.1", bulkPort), size)));
            System.out.printf(
                    "round %d: raw %.0f, raw with our options %.0f, stream %.0f MiB/s%n",
                    i, usualRates.get(i), rawRates.get(i), bulkRates.get(i));
        }
        report("median", usualRates, rawRates, bulkRates, 0.5);
        report("best tenth", usualRates, rawRates, bulkRates, 0.9); // where other processes use the machine too
        streams.close();
        lane.close();
        raw.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
    }

    private static void report(
            String what, List<Double> usual, List<Double> large, List<Double> bulk, double quantile) {
        double usualRate = quantile(usual, quantile);
        double largeRate = quantile(large, quantile);
        double bulkRate = quantile(bulk, quantile);
        System.out.printf(
                "%s: raw %.0f, raw with our options %.0f, stream %.0f MiB/s; ratios %.2f, %.2f%n",
                what, usualRate, largeRate, bulkRate, bulkRate / usualRate, bulkRate / largeRate);
    }

    private static double quantile(List<Double> rates, double quantile) {
        List<Double> later = new ArrayList<>(rates.subList(rates.size() / 3, rates.size())); // the first warm up
        Collections.sort(later);
        return later.get((int) (later.size() * quantile));
    }

    private static double rate(long size, long nanos) {
        return size / (double) BulkPair.MEBIBYTE / (nanos / 1e9);
    }

    private static long bulkFetch(BulkStreams streams, RpcAddress from, long size) throws Exception {
        long[] received = new long[1];
        long begin = System.nanoTime();
        BulkPair.await(streams.fetch(from, "file", StreamRange.ALL, bytes -> received[0] += bytes.remaining())
                .done());
        long nanos = System.nanoTime() - begin;
        if (received[0] != size) {
            throw new IOException(received[0] + " bytes (expected: " + size + ")");
        }
        return nanos;
    }

    private static long rawFetch(EventLoopGroup group, int port, long size, boolean ourOptions) throws Exception {
        CompletableFuture<Long> end = new CompletableFuture<>();
        Bootstrap bootstrap =
                new Bootstrap().group(group).channel(NioSocketChannel.class).handler(new Counter(size, end));
        if (ourOptions) {
            BulkLane.prepare(bootstrap);
        }
        Channel channel = bootstrap.connect("127.0.0.1", port).sync().channel();
        long begin = System.nanoTime();
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1}));
        long nanos = end.get() - begin;
        channel.close().sync();
        return nanos;
    }

    private static int bind(EventLoopGroup group, ChannelHandler handler) {
        Channel bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(handler)
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
        return ((InetSocketAddress) bound.localAddress()).getPort();
    }

    /** Sends the whole file as one region when it is asked by a byte. */
    private static final class RawSender extends ChannelInboundHandlerAdapter {
        private final Path file;

        RawSender(Path file) {
            this.file = file;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((ByteBuf) message).release();
            context.writeAndFlush(
                    new DefaultFileRegion(file.toFile(), 0, file.toFile().length()));
        }
    }

    private static final class Counter extends ChannelInboundHandlerAdapter {
        private final long size;
        private final CompletableFuture<Long> end;
        private long received;

        Counter(long size, CompletableFuture<Long> end) {
            this.size = size;
            this.end = end;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            received += bytes.readableBytes();
            bytes.release();
            if (received == size) {
                end.complete(System.nanoTime());
            }
        }
    }
}
