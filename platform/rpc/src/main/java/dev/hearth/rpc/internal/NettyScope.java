package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.bulk.BulkLane;
import dev.hearth.rpc.internal.bulk.BulkSnapshot;
import dev.hearth.rpc.internal.bulk.BulkStreams;
import dev.hearth.rpc.internal.connect.Connector;
import dev.hearth.rpc.internal.connect.EstablishedConnection;
import dev.hearth.rpc.internal.connect.LaneRouter.ScopeKey;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.Reconnections;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.rpc.RpcSnapshot.ScopeState;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Isolated namespace of one application in an RPC environment: its endpoints, connections and streams. Lives until it
 * or the environment is closed. Thread-safe.
 */
final class NettyScope implements RpcScope {
    private static final Logger LOG = LoggerFactory.getLogger(NettyScope.class);

    private final ScopeKey key;
    private final EnvServices env;
    private final EndpointRegistry endpoints = new EndpointRegistry();
    private final Map<Long, NettyPeer> peers = new ConcurrentSkipListMap<>();
    private final Reconnections reconnections;
    private final PeerServices services;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable LoopbackConnections loopback; // guarded by this
    private @Nullable BulkStreams streams; // guarded by this; lazily created

    NettyScope(ScopeKey key, EnvServices env) {
        this.key = key;
        this.env = env;
        this.reconnections = new Reconnections(env.settings().times(), ScopeAddressConnector::new);
        // bundles of the process register endpoints in its own scope only, never in that of an application
        EndpointDemand demand = key.name().equals(RpcEnv.DEFAULT_SCOPE) ? env.demand() : EndpointDemand.NONE;
        this.services = new PeerServices(
                env.settings(), key.name(), endpoints, env.codecs(), env.ticker(), this::forget, demand);
    }

    ScopeKey key() {
        return key;
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        IdSyntax.require("endpoint", endpoint);
        Dispatcher place = Dispatcher.of(
                endpoint,
                dispatch,
                env.shared(),
                failure -> LOG.error("endpoint {} of scope {}: failed", endpoint, key.name(), failure));
        Endpoint added = new Endpoint(endpoint, env.codecs().codec(protocol), dispatch, place, receiver);
        try {
            endpoints.add(added);
        } catch (IllegalStateException taken) {
            place.close();
            throw taken;
        }
        if (closed.get()) {
            endpoints.remove(added);
            throw new IllegalStateException(
                    "endpoint " + endpoint + ": its RPC environment is closed (expected: an open one)");
        }
        peers.values().forEach(NettyPeer::endpointAdded);
        return () -> endpoints.remove(added);
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress address) {
        if (closed.get()) {
            return CompletableFuture.failedStage(closedFailure(address.toString()));
        }
        CompletionStage<Peer> connecting = Optional.of(address)
                        .equals(env.address().get())
                ? self()
                : env.connector()
                        .connect(env.group(), UnaryOperator.identity(), address, key, Lane.MESSAGES, this::established)
                        .thenApply(peer -> peer);
        connecting.whenComplete((peer, failure) -> {
            if (failure != null && Failures.unwrap(failure) instanceof HearthException known) {
                endpoints.networkFailed(address.toString(), known);
            }
        });
        return connecting;
    }

    @Override
    public CompletionStage<Peer> self() {
        LoopbackConnections lines;
        synchronized (this) {
            if (closed.get()) {
                return CompletableFuture.failedStage(closedFailure("scope " + key.name()));
            }
            if (loopback == null) {
                loopback = new LoopbackConnections(this::openLocal);
            }
            lines = loopback;
        }
        return lines.connect().thenApply(peer -> peer);
    }

    @Override
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        return reconnections.ref(endpoint, protocol);
    }

    @Override
    public BulkStreams streams() {
        BulkStreams made;
        synchronized (this) {
            if (streams == null) {
                streams = env.bulk().get().open(this::connectBulk);
            }
            made = streams;
        }
        if (closed.get()) {
            made.close();
        }
        return made;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            env.closed().accept(this);
            reconnections.close(Connector.CLOSED_HERE);
            endpoints.close();
            closePeers(Connector.CLOSED_HERE);
            synchronized (this) {
                if (streams != null) {
                    streams.close();
                }
                if (loopback != null) {
                    loopback.close();
                }
            }
        }
    }

    /**
     * Creates the {@link NettyPeer} of a connection that this or the remote process has opened, and starts reading
     * messages. Called on the event loop of the connection.
     */
    NettyPeer established(EstablishedConnection connection) {
        NettyPeer peer = open(connection.channel(), connection.remote(), connection.security());
        connection.channel().pipeline().addLast("frames", peer.start());
        return peer;
    }

    List<PeerState> peerStates() {
        return Stream.concat(
                        peers.values().stream().map(NettyPeer::state),
                        bulk().stream()
                                .flatMap(made -> made.snapshots().stream())
                                .map(this::state))
                .toList();
    }

    ScopeState state() {
        return new ScopeState(
                key.name(),
                key.secret().isPresent(),
                endpoints.all().stream().map(Endpoint::state).toList(),
                bulk().map(BulkStreams::prefixes).orElse(List.of()));
    }

    /** Serves an accepted bulk connection. Called on the event loop of the connection. */
    void bulkConnected(EstablishedConnection connection) {
        streams().accepted(secured(connection), connection.remote());
    }

    @Override
    public String toString() {
        return "scope " + key.name();
    }

    private CompletionStage<Channel> connectBulk(RpcAddress address) {
        BulkLane lane = env.bulk().get();
        return env.connector().connect(lane.group(), BulkLane::prepare, address, key, Lane.BULK, NettyScope::secured);
    }

    private static Channel secured(EstablishedConnection connection) {
        connection.channel().attr(BulkLane.SECURITY).set(connection.security());
        return connection.channel();
    }

    private synchronized Optional<BulkStreams> bulk() {
        return Optional.ofNullable(streams);
    }

    private PeerState state(BulkSnapshot bulk) {
        return new PeerState(
                bulk.id(),
                key.name(),
                Lane.BULK,
                bulk.remote(),
                bulk.security(),
                bulk.ageMillis(),
                bulk.idleMillis(),
                bulk.underWay(),
                bulk.bytesQueued(),
                bulk.framesSent(),
                bulk.framesReceived(),
                bulk.bytesSent(),
                bulk.bytesReceived(),
                bulk.paused());
    }

    private NettyPeer openLocal(Channel channel) {
        return open(channel, env.address().get().map(RpcAddress::toString).orElse("this process"), "this process");
    }

    private NettyPeer open(Channel channel, String remote, String security) {
        NettyPeer peer = new NettyPeer(env.peersMade().incrementAndGet(), remote, security, channel, services);
        peers.put(peer.id(), peer);
        LOG.debug("{}: connected", peer);
        if (closed.get()) {
            peer.closeLocally(Connector.CLOSED_HERE);
        }
        return peer;
    }

    private void closePeers(String reason) {
        peers.values().forEach(peer -> peer.closeLocally(reason));
    }

    private void forget(NettyPeer peer) {
        peers.remove(peer.id());
        reconnections.lost(peer);
    }

    /**
     * Supplies connections to one address, a clock and timers to the endpoint references that reconnect to this address
     * after a loss.
     */
    private final class ScopeAddressConnector implements Reconnections.AddressConnector {
        private final RpcAddress address;

        ScopeAddressConnector(RpcAddress address) {
            this.address = address;
        }

        @Override
        public CompletionStage<Peer> connect() {
            return NettyScope.this.connect(address);
        }

        @Override
        public EventLoop.Timeout schedule(Duration delay, Runnable action) {
            try {
                Future<?> planned = env.group().next().schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> planned.cancel(false);
            } catch (RejectedExecutionException ended) {
                LOG.debug("{}: nothing is scheduled any more, its RPC environment is closed", NettyScope.this);
                return () -> {};
            }
        }

        @Override
        public Ticker ticker() {
            return env.ticker();
        }

        @Override
        public RandomGenerator random() {
            return ThreadLocalRandom.current();
        }

        @Override
        public void dropped(int messages, Throwable reason) {
            LOG.warn(
                    "{}: {} messages to {} were dropped: {}",
                    NettyScope.this,
                    messages,
                    address,
                    Failures.describe(reason));
        }
    }

    private static HearthException closedFailure(String subject) {
        return ErrorCode.PEER_UNREACHABLE.failure(
                subject + ": " + Connector.CLOSED_HERE + " (expected: an open RPC environment)");
    }
}
