package dev.hearth.itests.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One end of a connection of Netty alone, on one event loop; closing it ends the loop. */
final class RawNetty implements AutoCloseable {
    private static final long END_MILLIS_MAX = 1_000;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel channel;

    private RawNetty(Opening opening) throws InterruptedException {
        channel = opening.open(group);
    }

    /** Listens and says READY; each connection gets handlers of its own. */
    static RawNetty listening(int port, Supplier<ChannelHandler[]> handlers) throws InterruptedException {
        RawNetty server = new RawNetty(group -> new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(initializer(handlers))
                .bind("127.0.0.1", port)
                .sync()
                .channel());
        System.out.println("READY");
        System.out.flush();
        return server;
    }

    static RawNetty connected(int port, Supplier<ChannelHandler[]> handlers) throws InterruptedException {
        return new RawNetty(group -> new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(initializer(handlers))
                .connect("127.0.0.1", port)
                .sync()
                .channel());
    }

    /** Stays until the server is killed, or for as long as a benchmark may last. */
    void awaitEnd() throws InterruptedException {
        channel.closeFuture().await(RpcBench.SERVER_MINUTES_MAX, TimeUnit.MINUTES);
    }

    Channel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        group.shutdownGracefully(0, END_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    private static ChannelInitializer<SocketChannel> initializer(Supplier<ChannelHandler[]> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel connection) {
                connection.pipeline().addLast(handlers.get());
            }
        };
    }

    private interface Opening {
        Channel open(EventLoopGroup group) throws InterruptedException;
    }
}
