package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.time.Ticker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that cannot move to the event loops of the bulk lane, over loopback. */
@SuppressWarnings("FutureReturnValueIgnored") // threads that end by themselves
class EventLoopSwitchTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final MultiThreadIoEventLoopGroup acceptors = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void endThreads() {
        acceptors.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
    }

    @Test
    void closesAConnectionWhoseNewLoopHasEnded() throws Exception {
        MultiThreadIoEventLoopGroup ended = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ended.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).sync();
        assertForgets(ended);
    }

    @Test
    void closesAConnectionThatItsNewLoopRefuses() throws Exception {
        MultiThreadIoEventLoopGroup ofAnotherKind = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
        try {
            assertForgets(ofAnotherKind);
        } finally {
            ofAnotherKind.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
        }
    }

    private void assertForgets(MultiThreadIoEventLoopGroup target) throws Exception {
        BulkServices services = new BulkServices(
                BulkPair.TIMES, new PieceChecksumCache(Ticker.system()), Runnable::run, Ticker.system(), () -> 1L);
        BulkStreams streams = new BulkStreams(address -> new CompletableFuture<>(), services, target);
        CompletableFuture<Channel> arrived = new CompletableFuture<>();
        Channel listening = new ServerBootstrap()
                .group(acceptors)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        streams.accepted(channel, "peer");
                        arrived.complete(channel);
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), ((InetSocketAddress) listening.localAddress()).getPort())) {
            Channel channel = arrived.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            socket.setSoTimeout((int) BOUND.toMillis());
            assertEquals(-1, read(socket), "the other side is closed");
            long end = System.nanoTime() + BOUND.toNanos();
            while (!streams.snapshots().isEmpty()) {
                assertTrue(System.nanoTime() < end, () -> "still there: " + streams.snapshots());
                Thread.onSpinWait();
            }
            assertTrue(channel.closeFuture().await(BOUND.toMillis()), "the connection is counted as closed");
        } finally {
            listening.close().syncUninterruptibly();
            streams.close();
        }
    }

    private static int read(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketException reset) {
            return -1;
        }
    }
}
