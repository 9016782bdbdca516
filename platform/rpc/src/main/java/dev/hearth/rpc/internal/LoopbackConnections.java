package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.thread.DaemonThreads;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Connections of one scope to itself. Frames, codecs, bounds and losses work as between processes, but without a socket
 * or a handshake, because no identity has to be proved. One lazily started thread serves all of them. Any thread may
 * call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
final class LoopbackConnections implements AutoCloseable {
    private static final long END_MILLIS_MAX = 500;

    private final Function<Channel, NettyPeer> opener;
    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DaemonThreads("hearth-rpc-local"), LocalIoHandler.newFactory());
    private final Channel listener;

    /** {@code opener} creates the peers of both ends. */
    LoopbackConnections(Function<Channel, NettyPeer> opener) {
        this.opener = opener;
        this.listener = new ServerBootstrap()
                .group(group)
                .channel(LocalServerChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        begin(accepted);
                    }
                })
                .bind(LocalAddress.ANY)
                .syncUninterruptibly()
                .channel();
    }

    CompletionStage<NettyPeer> connect() {
        CompletableFuture<NettyPeer> connected = new CompletableFuture<>();
        CompletableFuture<NettyPeer> near = new CompletableFuture<>();
        new Bootstrap()
                .group(group)
                .channel(LocalChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        near.complete(begin(opened));
                    }
                })
                .connect(listener.localAddress())
                .addListener(done -> {
                    if (done.isSuccess()) {
                        near.thenAccept(connected::complete);
                    } else {
                        connected.completeExceptionally(done.cause());
                    }
                });
        return connected;
    }

    @Override
    public void close() {
        listener.close();
        group.shutdownGracefully(0, END_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }

    private NettyPeer begin(Channel channel) {
        NettyPeer peer = opener.apply(channel);
        channel.pipeline().addLast("flow", new LoopbackFlowControl(channel)).addLast("frames", peer.start());
        return peer;
    }
}
