package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to other processes: resolves the host, tries its addresses and performs the handshake. Only host
 * lookup runs outside the I/O loops, because it blocks. Lives as long as its RPC environment; when it closes,
 * unfinished attempts fail. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
public final class Connector implements AutoCloseable {
    /**
     * Reason given for connections, connection attempts and asks that end because this process closes their scope or
     * RPC environment.
     */
    public static final String CLOSED_HERE = "this process closed its connections";

    private static final String RULE = " (expected: a Hearth process that listens there)";

    private final RpcSettings settings;
    private final Preamble preamble;
    private final ChannelSecurity security;
    private final HostLookup lookups;
    private final Set<Attempt<?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Connector(RpcSettings settings, Preamble preamble, ChannelSecurity security) {
        this(settings, preamble, security, new HostLookup(host -> List.of(InetAddress.getAllByName(host))));
    }

    Connector(RpcSettings settings, Preamble preamble, ChannelSecurity security, HostLookup lookups) {
        this.settings = settings;
        this.preamble = preamble;
        this.security = security;
        this.lookups = lookups;
    }

    /**
     * Connects to {@code address} on an event loop of {@code group}; {@code prepare} configures the Netty bootstrap.
     * After the handshake, {@code opener} adds handlers to the pipeline, on that event loop. It creates the object with
     * which the returned stage completes.
     */
    public <T> CompletionStage<T> connect(
            EventLoopGroup group,
            UnaryOperator<Bootstrap> prepare,
            RpcAddress address,
            LaneRouter.ScopeKey scope,
            Lane lane,
            Function<EstablishedConnection, T> opener) {
        Attempt<T> attempt = new Attempt<>(group.next(), prepare, address, scope, lane, opener);
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
        lookups.close();
        underWay.forEach(Attempt::failClosed);
    }

    /**
     * Attempt to connect made by one call of {@link #connect}, from the host lookup to the end of the handshake. The
     * connect timeout bounds the total time of the attempt.
     */
    private final class Attempt<T>
            implements ClientHandshake.Outcome, HostLookup.LookupCallback, HappyEyeballs.Outcome {
        private final EventLoop loop;
        private final UnaryOperator<Bootstrap> prepare;
        private final RpcAddress address;
        private final LaneRouter.ScopeKey scope;
        private final Lane lane;
        private final Function<EstablishedConnection, T> opener;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private volatile @Nullable Future<?> timer;
        private @Nullable HappyEyeballs race; // null until the addresses are known; accessed only on the event loop

        Attempt(
                EventLoop loop,
                UnaryOperator<Bootstrap> prepare,
                RpcAddress address,
                LaneRouter.ScopeKey scope,
                Lane lane,
                Function<EstablishedConnection, T> opener) {
            this.loop = loop;
            this.prepare = prepare;
            this.address = address;
            this.scope = scope;
            this.lane = lane;
            this.opener = opener;
        }

        void begin() {
            long boundMillis = settings.times().connect().toMillis();
            timer = loop.schedule(() -> expire(boundMillis), boundMillis, TimeUnit.MILLISECONDS);
            byte[] numeric = NetUtil.createByteArrayFromIpAddressString(address.host());
            if (numeric == null) {
                lookups.find(address.host(), this);
                return;
            }
            try {
                found(List.of(InetAddress.getByAddress(address.host(), numeric)));
            } catch (UnknownHostException impossible) { // cannot happen: thrown only for addresses of invalid length
                unreachable(impossible.toString());
            }
        }

        @Override
        public boolean waits() {
            return !result.isDone();
        }

        @Override
        public void found(List<InetAddress> addresses) {
            try {
                loop.execute(() -> {
                    if (waits()) {
                        HappyEyeballs begun = new HappyEyeballs(loop, addresses, this::dial, this);
                        race = begun;
                        begun.begin();
                    }
                });
            } catch (RejectedExecutionException ended) {
                failClosed();
            }
        }

        @Override
        public void notFound(String reason) {
            unreachable(reason);
        }

        @Override
        public void reached(Channel channel) {
            cancelTimer(); // stop this timeout, because the handshake has its own
            begin(channel);
        }

        @Override
        public void connected(EstablishedConnection connection) {
            underWay.remove(this);
            if (result.isDone()) { // the attempt has timed out or the RPC environment was closed
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
            cancelTimer();
            result.completeExceptionally(failure);
        }

        void failClosed() {
            unreachable(CLOSED_HERE);
        }

        private void expire(long boundMillis) {
            HappyEyeballs begun = race;
            if (begun == null) {
                unreachable("the host name was not resolved within " + boundMillis + " ms");
            } else {
                unreachable(begun.progress() + " within " + boundMillis + " ms");
                begun.stop();
            }
        }

        private void cancelTimer() {
            Future<?> planned = timer;
            if (planned != null) {
                planned.cancel(false);
            }
        }

        private ChannelFuture dial(InetAddress host) {
            return prepare.apply(new Bootstrap().group(loop))
                    .channel(NioSocketChannel.class)
                    .disableResolver()
                    // no timeout per address: one timeout covers all addresses
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.SO_KEEPALIVE, true)
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            // no handlers yet, because the connection to another address may be chosen
                        }
                    })
                    .connect(new InetSocketAddress(host, address.port()));
        }

        private void begin(Channel channel) {
            if (!waits()) {
                channel.close();
                return;
            }
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
                            new ClientHandshake(
                                    address.toString(),
                                    settings.times().handshake(),
                                    preamble,
                                    lane,
                                    scope,
                                    security,
                                    this));
        }

        @Override
        public void unreachable(String reason) {
            refused(ErrorCode.PEER_UNREACHABLE.failure(
                    address + ": " + reason + RULE + "; is the process started, and is this its address?"));
        }
    }
}
