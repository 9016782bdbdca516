package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.protocol.DriverProtocol.ServedBy;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attach;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attached;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.DropShuffles;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.EndApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections of a driver to the shuffle services that have its map outputs. A service keeps the outputs of an
 * application while its driver is connected. If a connection is lost and attempts to renew it fail, the service counts
 * as lost, with the executors whose outputs it has. Owned by the driver's event loop.
 */
final class ShuffleServiceLinks {
    private static final Logger LOG = LoggerFactory.getLogger(ShuffleServiceLinks.class);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String LISTENER = "shuffle-driver";

    private final EventLoop loop;
    private final ShuffleServiceUse settings;
    private final Function<String, RpcScope> scopes;
    private final LossListener losses;
    private final Map<ExecutorId, Service> services = new LinkedHashMap<>();
    private final Map<String, Integer> lost =
            new LinkedHashMap<>(); // how often, by the names that services give themselves
    private @Nullable RpcScope scope; // null until the first executor with a service has registered
    private boolean closed;

    /** Handles the loss of a service on {@code host}, and of the executors whose outputs it has. */
    interface LossListener {
        void lost(ExecutorId service, String host, Set<ExecutorId> executors, String reason);
    }

    /** One service, and the executors whose outputs it takes over. */
    private static final class Service {
        private final ExecutorId id;
        private final String holder; // the name that it gives itself
        private final String host;
        private final RpcAddress address;
        private final Set<ExecutorId> executors = new LinkedHashSet<>();
        private @Nullable Peer peer; // null while not connected
        private boolean attached; // the service has confirmed that it keeps the outputs
        private long lostNanos; // when the connection was lost, or the first attempt was made
        private final List<Integer> dropped = new ArrayList<>(); // shuffles, since then

        Service(ExecutorId id, String holder, String host, RpcAddress address, long nowNanos) {
            this.id = id;
            this.holder = holder;
            this.lostNanos = nowNanos;
            this.host = host;
            this.address = address;
        }
    }

    /** {@code scopes} opens the scope of this application at its services, by name. */
    ShuffleServiceLinks(
            EventLoop loop, ShuffleServiceUse settings, Function<String, RpcScope> scopes, LossListener losses) {
        this.loop = loop;
        this.settings = settings;
        this.scopes = scopes;
        this.losses = losses;
    }

    /** Warns if the application asks for shuffle services and its cluster has none. */
    void opened(SchedulerBackend backend) {
        if (settings.isEnabled() && !backend.offersShuffleServices()) {
            LOG.warn("hearth.shuffle.service.enabled=true has no effect: this cluster manager offers no shuffle service"
                    + " (expected: workers of a standalone cluster); executors serve their own map outputs, and dynamic"
                    + " allocation keeps those whose outputs are needed");
        }
    }

    /**
     * Records that {@code by} has the outputs of an executor on {@code host}, which has just registered. Returns the id
     * of the service; empty if the executor keeps its outputs.
     */
    Optional<ExecutorId> serve(ExecutorId executor, String host, ServedBy by) {
        if (by.isItself() || closed) {
            return Optional.empty();
        }
        ExecutorId id = idOf(by.holder());
        Service service = services.get(id);
        if (service == null) {
            RpcAddress address = RpcAddress.parse(by.address())
                    .orElseThrow(() -> ErrorCode.MALFORMED_MESSAGE.failure(
                            "shuffle service " + id + ": address '" + by.address() + "' (expected: host:port)"));
            service = new Service(id, by.holder(), host, address, now());
            services.put(id, service);
            connect(service, open(by.scope()));
        }
        service.executors.add(executor);
        return Optional.of(id);
    }

    /**
     * Id of the service that calls itself {@code holder}. Once a service was lost, it gets another id when it returns, since
     * what was booked on the first one is lost.
     */
    private ExecutorId idOf(String holder) {
        int times = lost.getOrDefault(holder, 0);
        return new ExecutorId(times == 0 ? holder : holder + "." + times);
    }

    private long now() {
        return loop.ticker().nanos();
    }

    private RpcScope open(String name) {
        RpcScope known = scope;
        if (known == null) {
            known = scopes.apply(name);
            Receiver listener = Receiver.of(LISTENER).onPeerLost(this::peerLost).build();
            known.register(LISTENER, ShuffleServiceProtocol.PROTOCOL, loop, listener);
            scope = known;
        }
        return known;
    }

    /** Forgets an executor that is lost. Its outputs stay with the service. */
    void executorLost(ExecutorId executor) {
        services.values().forEach(service -> service.executors.remove(executor));
    }

    /** Host and port of the service {@code id}; empty if it is unknown or lost. */
    String address(ExecutorId id) {
        Service service = services.get(id);
        return service == null ? "" : service.address.toString();
    }

    private void connect(Service service, RpcScope from) {
        from.connect(service.address)
                .whenComplete((peer, failure) -> loop.inOrder(() -> {
                    if (closed || services.get(service.id) != service) {
                        close(peer);
                    } else if (failure != null) {
                        failed(service, Failures.describe(failure));
                    } else {
                        attach(service, peer);
                    }
                }));
    }

    private static void close(@Nullable Peer peer) {
        if (peer != null) {
            peer.close();
        }
    }

    private void attach(Service service, Peer peer) {
        service.peer = peer;
        peer.endpoint(ShuffleServiceProtocol.ENDPOINT, ShuffleServiceProtocol.PROTOCOL)
                .ask(new Attach(), Attached.class, ANSWER_TIMEOUT)
                .whenComplete((answer, failure) -> loop.inOrder(() -> attached(service, peer, answer, failure)));
    }

    private void attached(Service service, Peer peer, @Nullable Attached answer, @Nullable Throwable failure) {
        if (closed || service.peer != peer) {
            return; // the connection was lost meanwhile, which peerLost handles
        }
        if (answer == null) {
            peer.close(); // reported as lost, which leads to the next attempt
            LOG.debug("shuffle service {}: {}", service.id, failure == null ? "" : Failures.describe(failure));
        } else if (!answer.holder().equals(service.holder)) {
            lose(service, "another service, " + answer.holder() + ", has taken its place");
        } else {
            service.attached = true;
            if (!service.dropped.isEmpty()) {
                send(peer, new DropShuffles(List.copyOf(service.dropped)));
                service.dropped.clear();
            }
            LOG.info("shuffle service {} on {} keeps the map outputs of its executors", service.id, service.host);
        }
    }

    private void peerLost(Peer peer, String reason) {
        for (Service service : List.copyOf(services.values())) {
            if (service.peer == peer && !closed) {
                service.peer = null;
                if (service.attached) {
                    service.attached = false;
                    service.lostNanos = now();
                }
                failed(service, reason);
            }
        }
    }

    private void failed(Service service, String reason) {
        if (now() - service.lostNanos >= settings.awayMax().toNanos()) {
            lose(service, reason);
            return;
        }
        LOG.debug("shuffle service {}: {}; it is tried again", service.id, reason);
        loop.schedule(PAUSE, () -> {
            RpcScope from = scope;
            if (!closed && from != null && services.get(service.id) == service && service.peer == null) {
                connect(service, from);
            }
        });
    }

    private void lose(Service service, String reason) {
        services.remove(service.id);
        lost.merge(service.holder, 1, Integer::sum);
        close(service.peer);
        service.peer = null;
        LOG.warn(
                "shuffle service {} on {} is lost, with the map outputs that it has: {}",
                service.id,
                service.host,
                reason);
        losses.lost(service.id, service.host, Set.copyOf(service.executors), reason);
    }

    /** Lets all services remove the outputs of a shuffle, which no dataset needs any more. */
    void dropShuffle(int shuffle) {
        if (settings.removesShuffles()) {
            for (Service service : services.values()) {
                Peer peer = service.peer;
                if (peer != null && service.attached) {
                    send(peer, new DropShuffles(List.of(shuffle)));
                } else {
                    service.dropped.add(shuffle);
                }
            }
        }
    }

    /** Lets all services remove everything of this application, which has ended. */
    void close() {
        for (Service service : services.values()) {
            Peer peer = service.peer;
            if (peer != null) {
                send(peer, new EndApplication());
            }
        }
        closed = true;
    }

    private static void send(Peer peer, Record message) {
        peer.endpoint(ShuffleServiceProtocol.ENDPOINT, ShuffleServiceProtocol.PROTOCOL)
                .send(message);
    }
}
