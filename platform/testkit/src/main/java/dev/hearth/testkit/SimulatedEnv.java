package dev.hearth.testkit;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The message system of a simulated process. Open until it is closed or its process crashes. */
final class SimulatedEnv implements RpcEnv {
    private final SimulatedNetwork network;
    private final SimulatedProcess process;
    private final RpcSettings settings;
    private final Optional<RpcAddress> address;
    private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
    private final Set<SimulatedPeer> peers = new LinkedHashSet<>();
    private final List<CompletableFuture<Peer>> connecting = new ArrayList<>();
    private long peersMade;
    private boolean open = true;

    SimulatedEnv(
            SimulatedNetwork network, SimulatedProcess process, RpcSettings settings, Optional<RpcAddress> address) {
        this.network = network;
        this.process = process;
        this.settings = settings;
        this.address = address;
    }

    @Override
    public String name() {
        return DEFAULT_SCOPE;
    }

    @Override
    public CompletionStage<Peer> self() {
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
        return address;
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        EventLoop loop = dispatch.loop().orElseThrow();
        Names.require("endpoint", endpoint);
        if (endpoints.containsKey(endpoint)) {
            throw new IllegalStateException(
                    "endpoint " + endpoint + ": registered twice (expected: once, or closed first)");
        }
        Endpoint added = new Endpoint(protocol, loop, receiver);
        if (open) {
            endpoints.put(endpoint, added);
        }
        return () -> {
            added.deaf = true;
            endpoints.remove(endpoint, added);
        };
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress target) {
        CompletableFuture<Peer> connected = new CompletableFuture<>();
        connecting.add(connected);
        if (open) {
            network.connect(this, target, connected);
        } else if (process.alive()) {
            refused(connected, closedWhileConnecting());
        }
        return connected;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        shut();
        List.copyOf(peers).forEach(SimulatedPeer::close);
        List.copyOf(connecting).forEach(connected -> refused(connected, closedWhileConnecting()));
    }

    /** The process is dead: its side of everything is silent from here on. */
    void crash() {
        if (open) {
            shut();
            List.copyOf(peers).forEach(SimulatedPeer::die);
        }
        peers.clear();
        connecting.clear();
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

    long nextPeerId() {
        return ++peersMade;
    }

    void add(SimulatedPeer peer) {
        peers.add(peer);
    }

    List<SimulatedPeer> peersOf(SimulatedProcess other) {
        return peers.stream()
                .filter(peer -> peer.other().env().process() == other)
                .toList();
    }

    void connected(CompletableFuture<Peer> stage, Peer peer) {
        if (connecting.removeIf(waiting -> waiting == stage)) {
            stage.complete(peer);
        }
    }

    void refused(CompletableFuture<Peer> stage, String message) {
        if (connecting.removeIf(waiting -> waiting == stage)) {
            stage.completeExceptionally(ErrorCode.PEER_UNREACHABLE.failure(message));
        }
    }

    /** Hands a message to its endpoint's loop; one that is there for nobody is refused. */
    void deliver(String endpoint, Record message, SimulatedCall call) {
        Endpoint found = endpoints.get(endpoint);
        if (found == null) {
            refuse(endpoint, call);
        } else if (!found.protocol.holds(message.getClass())) {
            call.fail(
                    ErrorCode.MALFORMED_MESSAGE,
                    "endpoint " + endpoint + ": " + message.getClass().getSimpleName() + " (expected: a message of "
                            + found.protocol + ")");
        } else {
            call.answersIn(found.protocol);
            found.loop.execute(() -> {
                if (found.deaf) {
                    refuse(endpoint, call);
                } else {
                    found.receiver.receive(message, call);
                }
            });
        }
    }

    /** Forgets a peer that is gone, and tells every endpoint when they could know it. */
    void lost(SimulatedPeer peer, boolean known, String reason) {
        peers.remove(peer);
        if (!known) {
            return;
        }
        for (Endpoint endpoint : List.copyOf(endpoints.values())) {
            endpoint.loop.execute(() -> {
                if (!endpoint.deaf) {
                    endpoint.receiver.peerLost(peer, reason);
                }
            });
        }
    }

    private void refuse(String endpoint, SimulatedCall call) {
        call.fail(
                ErrorCode.NO_ENDPOINT,
                "endpoint " + endpoint + ": none at " + this + " (expected: one of " + endpoints.keySet() + ")");
    }

    private void shut() {
        open = false;
        address.ifPresent(network::release);
        endpoints.values().forEach(endpoint -> endpoint.deaf = true);
        endpoints.clear();
    }

    private String closedWhileConnecting() {
        return "connection from " + this + ": closed on this side (expected: open until it was made)";
    }

    @Override
    public String toString() {
        return address.map(place -> process.name() + " (" + place + ")").orElse(process.name());
    }

    private static final class Endpoint {
        private final Protocol protocol;
        private final EventLoop loop;
        private final RpcEndpoint receiver;
        private boolean deaf;

        Endpoint(Protocol protocol, EventLoop loop, RpcEndpoint receiver) {
            this.protocol = protocol;
            this.loop = loop;
            this.receiver = receiver;
        }
    }
}
