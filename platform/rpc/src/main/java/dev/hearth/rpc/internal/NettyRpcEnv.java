package dev.hearth.rpc.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.id.Names;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The message system of one process over TCP: one listening port at most, peers, endpoints, and one or two I/O threads.
 * <p>Opened by {@link NettyRpcEnvFactory}, owned by whoever asked for it; ends with {@link #close}. Any thread may call.
 */
final class NettyRpcEnv implements RpcEnv {
    private static final Logger LOG = LoggerFactory.getLogger(NettyRpcEnv.class);
    private static final int THREADS_LISTENING = 2;
    private static final int THREADS_CONNECTING = 1;
    private static final long END_MILLIS_MAX = 500;
    private static final long END_WAIT_MILLIS_MAX = 1_000;

    private final EventLoopGroup group;
    private final Endpoints endpoints = new Endpoints();
    private final Codecs codecs = new Codecs();
    private final Map<Long, NettyPeer> peers = new ConcurrentSkipListMap<>();
    private final AtomicLong peersMade = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final PeerServices services;
    private final Connector connector;
    private final @Nullable Listener listener;
    private volatile Runnable closing = () -> {};

    /** Opens an env that speaks {@code preamble}; fails as {@code RpcEnvFactory} says. */
    NettyRpcEnv(RpcSettings settings, Preamble preamble) {
        int threads = settings.listen().isPresent() ? THREADS_LISTENING : THREADS_CONNECTING;
        this.group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("hearth-rpc", true), NioIoHandler.newFactory());
        this.services = new PeerServices(settings, endpoints, codecs, Ticker.system(), this::forget);
        this.connector = new Connector(group, settings, preamble, this::openPeer);
        try {
            this.listener = settings.listen()
                    .map(where -> Listener.open(group, where, settings, preamble, this::openPeer))
                    .orElse(null);
        } catch (RuntimeException refused) { // whatever it is: nobody else could end the threads
            close();
            throw refused;
        }
    }

    /** Runs {@code action} before this env closes; called once at most, before anybody else has the env. */
    void whenClosing(Runnable action) {
        closing = action;
    }

    @Override
    public String name() {
        return DEFAULT_SCOPE;
    }

    @Override
    public Peer self() {
        throw new UnsupportedOperationException();
    }

    @Override
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Streams streams() {
        throw new UnsupportedOperationException();
    }

    @Override
    public RpcScope scope(String name, Optional<Secret> secret) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Registration serve(String prefix, HttpHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RpcSnapshot snapshot() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<RpcAddress> address() {
        return Optional.ofNullable(listener).map(Listener::address);
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        EventLoop loop = dispatch.loop().orElseThrow();
        Names.require("endpoint", endpoint);
        Endpoint added = endpoints.add(endpoint, codecs.codec(protocol), loop, receiver);
        if (closed.get()) {
            endpoints.remove(added);
            throw new IllegalStateException("endpoint " + endpoint + ": its env is closed (expected: an open one)");
        }
        return () -> endpoints.remove(added);
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress address) {
        if (closed.get()) {
            return CompletableFuture.failedStage(ErrorCode.PEER_UNREACHABLE.failure(
                    address + ": " + NettyPeer.CLOSED_HERE + " (expected: an open env)"));
        }
        return connector.connect(address);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closing.run();
        endpoints.close();
        connector.close();
        if (listener != null) {
            listener.close();
        }
        peers.values().forEach(peer -> peer.close(NettyPeer.CLOSED_HERE));
        var ended = group.shutdownGracefully(0, END_MILLIS_MAX, TimeUnit.MILLISECONDS);
        for (EventExecutor loop : group) {
            if (loop.inEventLoop()) {
                return; // it ends once the caller returns; waiting for oneself would last for ever
            }
        }
        try {
            if (!ended.await(END_WAIT_MILLIS_MAX)) {
                LOG.warn("{}: I/O threads still run after {} ms (expected: none)", this, END_WAIT_MILLIS_MAX);
            }
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt(); // the threads end by themselves; only the waiting is cut short
        }
    }

    @Override
    public String toString() {
        return "env " + address().map(RpcAddress::toString).orElse("that does not listen");
    }

    private NettyPeer openPeer(Channel channel, String remote) {
        NettyPeer peer = new NettyPeer(peersMade.incrementAndGet(), remote, channel, services);
        peers.put(peer.id(), peer);
        LOG.debug("{}: connected", peer);
        if (closed.get()) {
            peer.close(NettyPeer.CLOSED_HERE);
        }
        return peer;
    }

    private void forget(NettyPeer peer) {
        peers.remove(peer.id());
    }
}
