package dev.hearth.testkit;

import dev.hearth.api.HearthException;
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
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Scope of a simulated RPC environment. It is open until it or its environment is closed, or its process ends. */
final class SimulatedScope implements RpcScope {
    private static final String CLOSED_HERE = "this process closed its connections";

    private final SimulatedEnv env;
    private final String name;
    private final Optional<Secret> ownSecret;
    private final Map<String, SimulatedEndpoint> endpoints = new LinkedHashMap<>();
    private final Set<SimulatedPeer> peers = new LinkedHashSet<>();
    private final Set<SimulatedConnectAttempt> attempts = new LinkedHashSet<>();
    private final Reconnections reconnections;
    private final SimulatedStreams streams = new SimulatedStreams(this);
    private @Nullable SimulatedPeer self; // created lazily
    private boolean open = true;

    SimulatedScope(SimulatedEnv env, String name, Optional<Secret> ownSecret) {
        this.env = env;
        this.name = name;
        this.ownSecret = ownSecret;
        this.reconnections = new Reconnections(env.settings().times(), ScopeConnector::new);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        IdSyntax.require("endpoint", endpoint);
        if (endpoints.containsKey(endpoint)) {
            throw new IllegalStateException(
                    "endpoint " + endpoint + ": registered twice (expected: once, or closed first)");
        }
        if (!open) {
            return () -> {}; // this scope has ended, so no message will ever reach the endpoint
        }
        SimulatedEndpoint added = new SimulatedEndpoint(process(), endpoint, protocol, dispatch, receiver);
        endpoints.put(endpoint, added);
        added.start(peers.stream().filter(SimulatedPeer::isKnown).toList());
        return () -> {
            if (endpoints.remove(endpoint, added) && process().alive()) {
                added.stop();
            }
        };
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress address) {
        CompletableFuture<Peer> connected = new CompletableFuture<>();
        SimulatedConnectAttempt[] attempt =
                new SimulatedConnectAttempt[1]; // the listening process needs a reference to complete it
        attempt[0] =
                reach(address, there -> SimulatedPeer.connect(this, there, address, attempt[0], connected), failure -> {
                    tellFailure(address.toString(), failure);
                    connected.completeExceptionally(failure);
                });
        return connected;
    }

    @Override
    public CompletionStage<Peer> self() {
        if (!open) {
            return CompletableFuture.failedStage(ErrorCode.PEER_UNREACHABLE.failure(
                    this + ": this side has closed the scope (expected: an open" + " scope)"));
        }
        SimulatedPeer known = self;
        if (known == null || known.isLost()) {
            known = SimulatedPeer.self(this);
            self = known;
        }
        return CompletableFuture.completedStage(known);
    }

    @Override
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        if (!open) {
            reconnections.close(CLOSED_HERE);
        }
        return reconnections.ref(endpoint, protocol);
    }

    @Override
    public Streams streams() {
        return streams;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        env.closed(this);
        if (!process().alive()) {
            return;
        }
        reconnections.close(CLOSED_HERE);
        List<SimulatedEndpoint> stopping = List.copyOf(endpoints.values());
        endpoints.clear();
        stopping.forEach(SimulatedEndpoint::stop);
        List.copyOf(peers).forEach(SimulatedPeer::close);
        List.copyOf(attempts).forEach(SimulatedConnectAttempt::closedHere);
        streams.close();
    }

    /** Starts to connect to the scope with the name of this scope in the process that listens at {@code address}. */
    SimulatedConnectAttempt reach(
            RpcAddress address, Consumer<SimulatedScope> accepted, Consumer<HearthException> refused) {
        SimulatedConnectAttempt attempt = new SimulatedConnectAttempt(this, address, accepted, refused);
        if (process().alive()) {
            attempts.add(attempt);
            if (open) {
                attempt.begin();
            } else {
                attempt.closedHere();
            }
        }
        return attempt;
    }

    /**
     * Ends the scope because its process has died: it sends nothing, and reports nothing to its endpoints, from now on.
     */
    void crash() {
        open = false;
        endpoints.clear();
        List.copyOf(peers).forEach(peer -> peer.die(process().vanished()));
        peers.clear();
        attempts.clear();
    }

    boolean isOpen() {
        return open;
    }

    SimulatedEnv env() {
        return env;
    }

    SimulatedProcess process() {
        return env.process();
    }

    SimulatedStreams served() {
        return streams;
    }

    /**
     * Secret that peers of this scope must prove: its own, or else that of the RPC environment; empty if neither has
     * one.
     */
    Optional<Secret> secret() {
        return ownSecret.or(() -> env.settings().security().secret());
    }

    Set<SimulatedPeer> peers() {
        return peers;
    }

    void add(SimulatedPeer peer) {
        peers.add(peer);
    }

    void finished(SimulatedConnectAttempt attempt) {
        attempts.remove(attempt);
    }

    void deliver(String endpoint, Record message, SimulatedCall call) {
        SimulatedEndpoint found = endpoints.get(endpoint);
        if (found == null) {
            call.fail(
                    ErrorCode.NO_ENDPOINT,
                    "endpoint " + endpoint + ": no endpoint of that name at " + env + " (expected: one of" + " "
                            + endpoints.keySet() + ")");
        } else {
            found.deliver(message, call);
        }
    }

    void connected(SimulatedPeer peer) {
        List.copyOf(endpoints.values()).forEach(endpoint -> endpoint.connected(peer));
    }

    /**
     * Removes the lost peer {@code peer}, and notifies every endpoint of this scope. If {@code fault}, the loss is
     * reported to them as a failure of the network first.
     */
    void lost(SimulatedPeer peer, String reason, boolean fault) {
        peers.remove(peer);
        if (!peer.isKnown()) {
            return;
        }
        if (fault) {
            tellFailure(peer.remote(), ErrorCode.PEER_LOST.failure(reason));
        }
        List.copyOf(endpoints.values()).forEach(endpoint -> endpoint.lost(peer, reason));
        reconnections.lost(peer);
    }

    RpcSnapshot.ScopeState snapshot() {
        return new RpcSnapshot.ScopeState(
                name,
                ownSecret.isPresent(),
                endpoints.values().stream().map(SimulatedEndpoint::snapshot).toList(),
                streams.prefixes());
    }

    @Override
    public String toString() {
        return "scope " + name + " of " + env;
    }

    private void tellFailure(String remote, HearthException failure) {
        List.copyOf(endpoints.values()).forEach(endpoint -> endpoint.networkFailed(remote, failure));
    }

    /** Connects this scope to one address, for endpoint references by address, which reconnect after a loss. */
    private final class ScopeConnector implements Reconnections.AddressConnector {
        private final RpcAddress address;

        ScopeConnector(RpcAddress address) {
            this.address = address;
        }

        @Override
        public CompletionStage<Peer> connect() {
            return SimulatedScope.this.connect(address);
        }

        @Override
        public EventLoop.Timeout schedule(Duration delay, Runnable action) {
            return process().schedule(delay, action);
        }

        @Override
        public Ticker ticker() {
            return process().clock();
        }

        @Override
        public RandomGenerator random() {
            return process().simulation().random();
        }

        @Override
        public void dropped(int messages, Throwable reason) {
            process()
                    .simulation()
                    .note(messages + " messages to " + address + " dropped: " + Failures.describe(reason));
        }
    }
}
