package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Bulk lanes of two processes over loopback: one serves, one requests. Connections are accepted on threads outside the
 * lane.
 */
@SuppressWarnings("FutureReturnValueIgnored") // threads that end by themselves
final class BulkPair implements AutoCloseable {
    static final int MEBIBYTE = 1 << 20;
    static final Duration BOUND = Duration.ofSeconds(30);
    static final BulkTimeouts TIMES = new BulkTimeouts(
            Duration.ofSeconds(20),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            Duration.ofMillis(5),
            Duration.ofMillis(20));

    final BulkStreams server;
    final BulkStreams client;
    final AtomicInteger connectionsOpened = new AtomicInteger();
    private final BulkLane serverLane;
    private final BulkLane clientLane;
    private final MultiThreadIoEventLoopGroup acceptors = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listening;

    BulkPair() {
        this(TIMES, () -> new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                // no handler between the lane and the socket
            }
        });
    }

    BulkPair(BulkTimeouts times) {
        this(times, times);
    }

    BulkPair(BulkTimeouts serverTimes, BulkTimeouts clientTimes) {
        this(serverTimes, clientTimes, () -> new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                // no handler between the lane and the socket
            }
        });
    }

    /** With a handler that processes all bytes of either end. */
    BulkPair(BulkTimeouts times, Supplier<ChannelHandler> between) {
        this(times, times, between);
    }

    private BulkPair(BulkTimeouts serverTimes, BulkTimeouts clientTimes, Supplier<ChannelHandler> between) {
        this.serverLane = new BulkLane(serverTimes);
        this.clientLane = new BulkLane(clientTimes);
        this.server = serverLane.open(address -> new CompletableFuture<>());
        this.listening = new ServerBootstrap()
                .group(acceptors)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(between.get());
                        server.accepted(channel, channel.remoteAddress().toString());
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
        this.client = clientLane.open(address -> connect(address, between));
    }

    RpcAddress address() {
        return new RpcAddress("127.0.0.1", ((InetSocketAddress) listening.localAddress()).getPort());
    }

    static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static Path file(Path directory, String name, byte[] content) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The Hearth exception that a stage fails with. */
    static HearthException failure(CompletionStage<?> stage) {
        Exception failed = assertThrows(Exception.class, () -> await(stage));
        return assertInstanceOf(HearthException.class, Failures.unwrap(failed), () -> String.valueOf(failed));
    }

    @Override
    public void close() {
        client.close();
        server.close();
        listening.close().syncUninterruptibly();
        clientLane.close();
        serverLane.close();
        acceptors.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
    }

    /** Refuses new connections; existing ones remain. */
    void stopListening() {
        listening.close().syncUninterruptibly();
    }

    CompletionStage<Channel> connect(RpcAddress to) {
        return connect(to, () -> new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                // no handler between the lane and the socket
            }
        });
    }

    private CompletionStage<Channel> connect(RpcAddress address, Supplier<ChannelHandler> between) {
        CompletableFuture<Channel> opened = new CompletableFuture<>();
        var connecting = BulkLane.prepare(new Bootstrap())
                .group(clientLane.group())
                .channel(NioSocketChannel.class)
                .handler(between.get())
                .connect(address.host(), address.port());
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                connectionsOpened.incrementAndGet();
                opened.complete(connecting.channel());
            } else {
                opened.completeExceptionally(ErrorCode.PEER_UNREACHABLE.failure(address + ": " + done.cause()));
            }
        });
        return opened;
    }
}
