package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Opens connections to other processes. Host names are looked up on a thread of its own, since that blocks; everything
 * else runs on the I/O loops. Lives as long as its env; attempts under way fail when it closes. Any thread may call.
 */
final class Connector implements AutoCloseable {
    private static final String RULE = " (expected: a Hearth process listening there)";

    private final EventLoopGroup group;
    private final RpcSettings settings;
    private final Preamble preamble;
    private final PeerOpener opener;
    private final ExecutorService lookups =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("hearth-rpc-lookup", true));
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Connector(EventLoopGroup group, RpcSettings settings, Preamble preamble, PeerOpener opener) {
        this.group = group;
        this.settings = settings;
        this.preamble = preamble;
        this.opener = opener;
    }

    CompletionStage<Peer> connect(RpcAddress address) {
        Attempt attempt = new Attempt(address);
        underWay.add(attempt);
        try {
            attempt.begin();
        } catch (RejectedExecutionException ended) {
            attempt.failClosed();
        }
        if (closed) {
            attempt.failClosed();
        }
        return attempt.peer;
    }

    @Override
    public void close() {
        closed = true;
        lookups.shutdownNow();
        underWay.forEach(Attempt::failClosed);
    }

    /** Makes a peer of a connection whose handshake is done. */
    interface PeerOpener {
        NettyPeer open(Channel channel, String remote);
    }

    /** One call of {@link #connect}, until its peer is there or not. */
    private final class Attempt implements HandshakeHandler.Outcome {
        private final RpcAddress address;
        private final CompletableFuture<Peer> peer = new CompletableFuture<>();

        Attempt(RpcAddress address) {
            this.address = address;
        }

        void begin() {
            byte[] numeric = NetUtil.createByteArrayFromIpAddressString(address.host());
            if (numeric != null) {
                connectTo(numeric);
                return;
            }
            long boundMillis = settings.times().connect().toMillis();
            var timer = group.next()
                    .schedule(
                            () -> unreachable("its name was not resolved within " + boundMillis + " ms"),
                            boundMillis,
                            TimeUnit.MILLISECONDS);
            lookups.execute(() -> {
                try {
                    byte[] found = InetAddress.getByName(address.host()).getAddress();
                    timer.cancel(false);
                    connectTo(found);
                } catch (UnknownHostException unknown) {
                    timer.cancel(false);
                    unreachable("unknown host");
                } catch (RejectedExecutionException ended) {
                    failClosed();
                }
            });
        }

        @Override
        public NettyPeer agreed(Channel channel, int version) {
            NettyPeer opened = opener.open(channel, address.toString());
            underWay.remove(this);
            if (!peer.complete(opened)) {
                opened.close("nobody waits for the connection any more");
            }
            return opened;
        }

        @Override
        public void refused(HearthException failure) {
            underWay.remove(this);
            peer.completeExceptionally(failure);
        }

        void failClosed() {
            unreachable(NettyPeer.CLOSED_HERE);
        }

        private void connectTo(byte[] host) {
            InetSocketAddress target;
            try {
                target = new InetSocketAddress(InetAddress.getByAddress(address.host(), host), address.port());
            } catch (UnknownHostException impossible) { // thrown for lengths that are neither IPv4 nor IPv6
                unreachable(impossible.toString());
                return;
            }
            int timeoutMillis =
                    (int) Math.min(Integer.MAX_VALUE, settings.times().connect().toMillis());
            ChannelFuture connecting = new Bootstrap()
                    .group(group)
                    .channel(NioSocketChannel.class)
                    .disableResolver()
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.SO_KEEPALIVE, true)
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(new HandshakeHandler(
                                            HandshakeHandler.Side.CONNECTING,
                                            preamble,
                                            settings.times().handshake(),
                                            address.toString(),
                                            Attempt.this));
                        }
                    })
                    .connect(target);
            connecting.addListener(done -> {
                if (!done.isSuccess()) {
                    unreachable(IoReasons.describe(done.cause()));
                }
            });
        }

        private void unreachable(String reason) {
            refused(ErrorCode.PEER_UNREACHABLE.failure(
                    address + ": " + reason + RULE + "; is it started, and is this its address?"));
        }
    }
}
