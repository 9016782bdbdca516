package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.bulk.BulkLane;
import dev.hearth.rpc.internal.connect.ConnectionLimiter;
import dev.hearth.rpc.internal.connect.Connector;
import dev.hearth.rpc.internal.connect.EstablishedConnection;
import dev.hearth.rpc.internal.connect.LaneRouter;
import dev.hearth.rpc.internal.connect.PortListener;
import dev.hearth.rpc.internal.connect.Preamble;
import dev.hearth.rpc.internal.http.HttpLane;
import dev.hearth.rpc.internal.http.HttpLaneSettings;
import dev.hearth.rpc.internal.http.HttpWhiteboard;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.rpc.RpcSnapshot.ScopeState;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RPC environment of one process over TCP. It has at most one listening port and one or two I/O threads. Each scope in
 * it is the isolated namespace of one application.
 *
 * <p>Opened by {@link NettyRpcEnvFactory} and owned by its caller; ended by {@link #close}. Thread-safe.
 */
final class NettyRpcEnv implements RpcEnv, LaneRouter {
    private static final Logger LOG = LoggerFactory.getLogger(NettyRpcEnv.class);
    private static final int THREADS_LISTENING = 2;
    private static final int THREADS_CONNECTING = 1;
    private static final long END_MILLIS_MAX = 500;
    private static final long END_WAIT_MILLIS_MAX = 1_000;

    private final RpcSettings settings;
    private final EventLoopGroup group;
    private final ChannelSecurity security;
    private final Connector connector;
    private final EndpointThreadPool shared;
    private final ConnectionLimiter connections;
    private final EnvServices services;
    private final NettyScope process;
    private final Map<String, NettyScope> scopes = new ConcurrentSkipListMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final @Nullable HttpLane http; // null if the RPC environment has no listening port
    private final @Nullable PortListener listener;
    private @Nullable BulkLane bulk; // guarded by this; lazily created
    private volatile Optional<RpcAddress> address = Optional.empty();
    private volatile Runnable closing = () -> {};

    /**
     * Opens an RPC environment that offers the protocol versions in {@code preamble}, without HTTP handlers of other
     * bundles. Fails as {@code RpcEnvFactory.open} states.
     */
    NettyRpcEnv(RpcSettings settings, Preamble preamble) {
        this(
                settings,
                preamble,
                new HttpLaneSettings("Hearth", "", settings),
                new HttpWhiteboard(),
                EndpointDemand.NONE);
    }

    /**
     * Opens an RPC environment whose port also serves the HTTP handlers that bundles register as services, listed by
     * {@code whiteboard}. {@code demand} starts bundles whose endpoints are missing.
     */
    NettyRpcEnv(
            RpcSettings settings,
            Preamble preamble,
            HttpLaneSettings conditions,
            HttpWhiteboard whiteboard,
            EndpointDemand demand) {
        ChannelIdentity.set();
        this.settings = settings;
        Ticker ticker = Ticker.system();
        // created first, because it refuses invalid certificates
        this.security = new ChannelSecurity(settings.security(), ticker);
        this.group = new MultiThreadIoEventLoopGroup(
                threads(settings), new DaemonThreads("hearth-rpc"), NioIoHandler.newFactory());
        this.connector = new Connector(settings, preamble, security);
        this.shared = new EndpointThreadPool(settings.limits().sharedThreads());
        this.connections = new ConnectionLimiter(settings.limits());
        this.services = new EnvServices(
                settings,
                group,
                connector,
                this::bulk,
                new ProtocolCodecCache(),
                ticker,
                shared,
                new AtomicLong(),
                () -> address,
                scope -> scopes.remove(scope.name(), scope),
                demand);
        this.process =
                new NettyScope(new ScopeKey(DEFAULT_SCOPE, settings.security().secret()), services);
        scopes.put(DEFAULT_SCOPE, process);
        this.http = settings.listen().isPresent()
                ? new HttpLane(conditions, whiteboard, services.peersMade()::incrementAndGet, connections)
                : null;
        try {
            this.listener = settings.listen()
                    .map(where -> PortListener.open(group, settings, preamble, this, connections, security, ticker))
                    .orElse(null);
        } catch (RuntimeException refused) {
            // any failure ends the threads, because the caller gets no object with which to end them
            close();
            throw refused;
        }
        this.address = Optional.ofNullable(listener).map(PortListener::address);
    }

    /**
     * Sets the action to run when this RPC environment begins to close. Called at most once, before other threads can
     * see the RPC environment.
     */
    void whenClosing(Runnable action) {
        closing = action;
    }

    @Override
    public Optional<RpcAddress> address() {
        return address;
    }

    @Override
    public String name() {
        return process.name();
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        return process.register(endpoint, protocol, dispatch, receiver);
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress target) {
        return process.connect(target);
    }

    @Override
    public CompletionStage<Peer> self() {
        return process.self();
    }

    @Override
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        return process.ref(endpoint, protocol);
    }

    @Override
    public Streams streams() {
        return process.streams();
    }

    @Override
    public RpcScope scope(String name, Optional<Secret> secret) {
        IdSyntax.require("scope", name);
        NettyScope opened = new NettyScope(
                new ScopeKey(name, secret.or(() -> settings.security().secret())), services);
        if (scopes.putIfAbsent(name, opened) != null) {
            throw new IllegalStateException(
                    "scope " + name + ": there is one of that name already (expected: none); close it first");
        }
        if (closed.get()) {
            opened.close();
            throw new IllegalStateException(
                    "scope " + name + ": its RPC environment is closed (expected: an open one)");
        }
        return opened;
    }

    @Override
    public Registration serve(String prefix, HttpHandler handler) {
        if (http == null) {
            throw new IllegalStateException("HTTP prefix " + prefix + ": " + this
                    + " (expected: one that listens, because clients need a port)");
        }
        return http.serve(prefix, handler);
    }

    @Override
    public RpcSnapshot snapshot() {
        List<ScopeState> scopeStates = new ArrayList<>();
        List<PeerState> peerStates = new ArrayList<>();
        for (NettyScope scope : scopes.values()) {
            scopeStates.add(scope.state());
            peerStates.addAll(scope.peerStates());
        }
        if (http != null) {
            peerStates.addAll(http.peers());
        }
        return new RpcSnapshot(
                address.map(RpcAddress::toString).orElse(""),
                settings.security().secret().isPresent(),
                scopeStates,
                peerStates,
                connections.refusals());
    }

    @Override
    public Optional<ScopeKey> scope(String name) {
        return Optional.ofNullable(scopes.get(name)).map(NettyScope::key);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the future is ignored: a failed close is also a channel event
    public void accepted(EstablishedConnection connection) {
        if (connection.lane() == Lane.HTTP && http != null) {
            boolean secure = connection.channel().pipeline().get(SslHandler.class) != null;
            http.accepted(connection.channel(), secure, connection.security(), connection.remote());
            return;
        }
        NettyScope scope = scopes.get(connection.scope().name());
        if (scope == null
                // the scope was closed after the handshake, and possibly reopened with another secret
                || !scope.key().equals(connection.scope())) {
            connection.channel().close();
            return;
        }
        switch (connection.lane()) {
            case MESSAGES -> scope.established(connection);
            case BULK -> scope.bulkConnected(connection);
            case HTTP -> connection.channel().close();
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closing.run();
        connector.close();
        if (listener != null) {
            listener.close();
        }
        if (http != null) {
            http.close();
        }
        scopes.values().forEach(NettyScope::close);
        synchronized (this) {
            if (bulk != null) {
                bulk.close();
            }
        }
        shared.close();
        security.close();
        end(group);
    }

    @Override
    public String toString() {
        return "RPC environment " + address().map(RpcAddress::toString).orElse("that does not listen");
    }

    private synchronized BulkLane bulk() {
        if (bulk == null) {
            bulk = new BulkLane(settings.times(), services.peersMade()::incrementAndGet);
            if (closed.get()) {
                bulk.close();
            }
        }
        return bulk;
    }

    private void end(EventLoopGroup ending) {
        var ended = ending.shutdownGracefully(0, END_MILLIS_MAX, TimeUnit.MILLISECONDS);
        for (EventExecutor loop : ending) {
            if (loop.inEventLoop()) {
                return; // this thread runs the event loop, so waiting here for the loop to end would deadlock
            }
        }
        try {
            if (!ended.await(END_WAIT_MILLIS_MAX)) {
                LOG.warn("{}: I/O threads still run after {} ms (expected: none)", this, END_WAIT_MILLIS_MAX);
            }
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt(); // interrupted: stop waiting; the threads still end by themselves
        }
    }

    private static int threads(RpcSettings settings) {
        int wanted = settings.limits().ioThreads();
        int usual = settings.listen().isPresent() ? THREADS_LISTENING : THREADS_CONNECTING;
        return wanted > 0 ? wanted : usual;
    }
}
