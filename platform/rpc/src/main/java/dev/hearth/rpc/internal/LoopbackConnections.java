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
 * Connections of a process to its own endpoints, within one scope (application). Frames, codecs, bounds and failures
 * work as between processes. There is no socket and no handshake, because both ends belong to this process. One lazily
 * started thread serves all these connections. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
final class LoopbackConnections implements AutoCloseable {
    private static final long END_MILLIS_MAX = 500;

    private final Function<Channel, NettyPeer> opener;
    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DaemonThreads("hearth-rpc-local"), LocalIoHandler.newFactory());
    private final Channel listener;

    /**
     * Creates the connections of one scope, none open. {@code opener} creates the {@link NettyPeer} of each of the two
     * ends of a connection.
     */
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
