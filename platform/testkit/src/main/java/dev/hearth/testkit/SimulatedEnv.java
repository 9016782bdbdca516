package dev.hearth.testkit;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
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
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.stream.Streams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * RPC environment, that is, the message system of a simulated process. It is open until it is closed or its process
 * ends.
 */
final class SimulatedEnv implements RpcEnv {
    private final SimulatedNetwork network;
    private final SimulatedProcess process;
    private final RpcSettings settings;
    private final Optional<RpcAddress> address;
    private final Map<String, SimulatedScope> scopes = new LinkedHashMap<>();
    private final Map<String, HttpHandler> handlers = new LinkedHashMap<>();
    private final Refusals refusals = new Refusals();
    private final SimulatedScope own;
    private long peersMade;
    private boolean open = true;

    SimulatedEnv(
            SimulatedNetwork network, SimulatedProcess process, RpcSettings settings, Optional<RpcAddress> address) {
        this.network = network;
        this.process = process;
        this.settings = settings;
        this.address = address;
        this.own = new SimulatedScope(this, DEFAULT_SCOPE, Optional.empty());
        scopes.put(DEFAULT_SCOPE, own);
    }

    @Override
    public String name() {
        return DEFAULT_SCOPE;
    }

    @Override
    public Optional<RpcAddress> address() {
        return address;
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        return own.register(endpoint, protocol, dispatch, receiver);
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress target) {
        return own.connect(target);
    }

    @Override
    public CompletionStage<Peer> self() {
        return own.self();
    }

    @Override
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        return own.ref(endpoint, protocol);
    }

    @Override
    public Streams streams() {
        return own.streams();
    }

    @Override
    public RpcScope scope(String name, Optional<Secret> secret) {
        IdSyntax.require("scope", name);
        if (scopes.containsKey(name)) {
            throw new IllegalStateException("scope " + name + ": open already (expected: once, or closed first)");
        }
        SimulatedScope added = new SimulatedScope(this, name, secret);
        if (open) {
            scopes.put(name, added);
        } else {
            added.close();
        }
        return added;
    }

    @Override
    public Registration serve(String prefix, HttpHandler handler) {
        if (!prefix.startsWith("/")) {
            throw new IllegalArgumentException("prefix: '" + prefix + "' (expected: a path that begins with /)");
        }
        HttpHandler own = new OfferedHandler(handler);
        if (handlers.putIfAbsent(prefix, own) != null) {
            throw new IllegalStateException("prefix " + prefix + ": served twice (expected: once, or closed first)");
        }
        return () -> handlers.remove(prefix, own);
    }

    @Override
    public RpcSnapshot snapshot() {
        return new RpcSnapshot(
                address.map(RpcAddress::toString).orElse(""),
                settings.security().secret().isPresent(),
                scopes.values().stream().map(SimulatedScope::snapshot).toList(),
                peers().stream().map(SimulatedPeer::snapshot).toList(),
                new RpcSnapshot.Refusals(0, 0, 0, 0, refusals.notAuthenticated, refusals.unknownScope));
    }

    @Override
    public void close() {
        if (open) {
            shut();
            List.copyOf(scopes.values()).forEach(SimulatedScope::close);
        }
    }

    /** Ends this RPC environment because its process has died: it sends and reports nothing from now on. */
    void crash() {
        if (open) {
            shut();
            List.copyOf(scopes.values()).forEach(SimulatedScope::crash);
        }
        scopes.clear();
    }

    void closed(SimulatedScope scope) {
        scopes.remove(scope.name(), scope);
        if (scope == own) {
            close();
        }
    }

    boolean open() {
        return open;
    }

    SimulatedNetwork network() {
        return network;
    }

    SimulatedProcess process() {
        return process;
    }

    RpcSettings settings() {
        return settings;
    }

    Refusals refusals() {
        return refusals;
    }

    Map<String, HttpHandler> handlers() {
        return handlers;
    }

    Optional<SimulatedScope> findScope(String name) {
        return Optional.ofNullable(scopes.get(name));
    }

    long nextPeerId() {
        return ++peersMade;
    }

    List<SimulatedPeer> peers() {
        return scopes.values().stream().flatMap(scope -> scope.peers().stream()).toList();
    }

    List<SimulatedPeer> peersOf(SimulatedProcess other) {
        return peers().stream().filter(peer -> peer.other().process() == other).toList();
    }

    @Override
    public String toString() {
        return address.map(place -> process.name() + " (" + place + ")").orElse(process.name());
    }

    private void shut() {
        open = false;
        handlers.clear();
        address.ifPresent(network::release);
    }

    /** Number of connections refused so far by this RPC environment, by reason. */
    static final class Refusals {
        long notAuthenticated;
        long unknownScope;
    }

    /**
     * An HTTP handler that a process has registered. Registrations are compared by identity, because the same handler
     * may be registered twice. Immutable.
     */
    private static final class OfferedHandler implements HttpHandler {
        private final HttpHandler handler;

        OfferedHandler(HttpHandler handler) {
            this.handler = handler;
        }

        @Override
        public CompletionStage<HttpAnswer> handle(HttpRequest request) {
            return handler.handle(request);
        }
    }
}
