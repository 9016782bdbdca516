package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.connect.ConnectionLimiter;
import dev.hearth.spi.rpc.HttpTrust;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A lane on a loopback port with its own threads, like that of an env, for behaviour that only sockets show. */
final class LoopbackServer implements AutoCloseable {
    static final int BOUND_MILLIS = 20_000;

    final HttpLane lane;
    final HttpWhiteboard whiteboard = new HttpWhiteboard();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final AtomicLong ids = new AtomicLong();
    private final Channel listening;

    LoopbackServer(RpcSecurity security, Optional<SslContext> tls) throws InterruptedException {
        this(security, tls, Ticker.system());
    }

    /** With a clock for the time of handler calls. */
    LoopbackServer(RpcSecurity security, Optional<SslContext> tls, Ticker calls) throws InterruptedException {
        this(security, tls, calls, HttpTrust.NONE);
    }

    LoopbackServer(RpcSecurity security, Optional<SslContext> tls, Ticker calls, HttpTrust trust)
            throws InterruptedException {
        RpcSettings settings = EmbeddedHttpLane.settings(security, "127.0.0.1", trust);
        lane = new HttpLane(
                new HttpLaneSettings("test", "1", settings),
                whiteboard,
                ids::incrementAndGet,
                new ConnectionLimiter(RpcLimits.DEFAULTS),
                HandlerPool.ofThreads(calls),
                Ticker.system());
        listening = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        tls.ifPresent(context -> accepted.pipeline().addLast(context.newHandler(accepted.alloc())));
                        lane.accepted(accepted, tls.isPresent(), "test", String.valueOf(accepted.remoteAddress()));
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** A plain connection, with bounded reads. */
    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(BOUND_MILLIS);
        return socket;
    }

    static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    @Override
    public void close() {
        lane.close();
        listening.close().syncUninterruptibly();
        assertTrue(
                group.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS).awaitUninterruptibly(BOUND_MILLIS),
                "threads still run");
    }
}
