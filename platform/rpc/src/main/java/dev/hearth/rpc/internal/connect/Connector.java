package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Opens connections to other processes. Host names are looked up on a thread of its own, since that blocks; everything
 * else runs on the I/O loops. Lives as long as its env; attempts under way fail when it closes. Any thread may call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
public final class Connector implements AutoCloseable {
    /** Why attempts fail when their env closes. */
    public static final String CLOSED_HERE = "this process closed its connections";

    private static final String RULE = " (expected: a Hearth process listening there)";

    private final RpcSettings settings;
    private final Preamble preamble;
    private final ChannelSecurity security;
    private final ExecutorService lookups =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("hearth-rpc-lookup", true));
    private final Set<Attempt<?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Connector(RpcSettings settings, Preamble preamble, ChannelSecurity security) {
        this.settings = settings;
        this.preamble = preamble;
        this.security = security;
    }

    /**
     * Connects with what {@code prepare} makes of a bootstrap, among it that it is on {@code group}. {@code opener} takes the connection over on its event loop, adds handlers to its pipeline,
     * and makes what the stage completes with.
     */
    public <T> CompletionStage<T> connect(
            EventLoopGroup group,
            UnaryOperator<Bootstrap> prepare,
            RpcAddress address,
            Lanes.ScopeKey scope,
            Lane lane,
            Function<Established, T> opener) {
        Attempt<T> attempt = new Attempt<>(group, prepare, address, scope, lane, opener);
        underWay.add(attempt);
        try {
            attempt.begin();
        } catch (RejectedExecutionException ended) {
            attempt.failClosed();
        }
        if (closed) {
            attempt.failClosed();
        }
        return attempt.result;
    }

    @Override
    public void close() {
        closed = true;
        lookups.shutdownNow();
        underWay.forEach(Attempt::failClosed);
    }

    /** One call of {@link #connect}, until its connection is there or not. */
    private final class Attempt<T> implements ConnectingHandshake.Outcome {
        private final EventLoopGroup group;
        private final UnaryOperator<Bootstrap> prepare;
        private final RpcAddress address;
        private final Lanes.ScopeKey scope;
        private final Lane lane;
        private final Function<Established, T> opener;
        private final CompletableFuture<T> result = new CompletableFuture<>();

        Attempt(
                EventLoopGroup group,
                UnaryOperator<Bootstrap> prepare,
                RpcAddress address,
                Lanes.ScopeKey scope,
                Lane lane,
                Function<Established, T> opener) {
            this.group = group;
            this.prepare = prepare;
            this.address = address;
            this.scope = scope;
            this.lane = lane;
            this.opener = opener;
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
        public void connected(Established connection) {
            underWay.remove(this);
            if (result.isDone()) { // nobody waits for the connection any more
                connection.channel().close();
                return;
            }
            T opened = opener.apply(connection);
            if (!result.complete(opened)) {
                connection.channel().close();
            }
        }

        @Override
        public void refused(HearthException failure) {
            underWay.remove(this);
            result.completeExceptionally(failure);
        }

        void failClosed() {
            unreachable(CLOSED_HERE);
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
            prepare.apply(new Bootstrap())
                    .channel(NioSocketChannel.class)
                    .disableResolver()
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.SO_KEEPALIVE, true)
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            begin(channel);
                        }
                    })
                    .connect(target)
                    .addListener(done -> {
                        if (!done.isSuccess()) {
                            unreachable(IoReasons.describe(done.cause()));
                        }
                    });
        }

        private void begin(Channel channel) {
            if (security.encrypts(scope.secret())) {
                try {
                    channel.pipeline().addLast("tls", security.connecting(address));
                } catch (IllegalStateException ended) {
                    channel.close();
                    failClosed();
                    return;
                }
            }
            channel.pipeline()
                    .addLast(
                            "handshake",
                            new ConnectingHandshake(
                                    address.toString(),
                                    settings.times().handshake(),
                                    preamble,
                                    lane,
                                    scope,
                                    security,
                                    this));
        }

        private void unreachable(String reason) {
            refused(ErrorCode.PEER_UNREACHABLE.failure(
                    address + ": " + reason + RULE + "; is it started, and is this its address?"));
        }
    }
}
