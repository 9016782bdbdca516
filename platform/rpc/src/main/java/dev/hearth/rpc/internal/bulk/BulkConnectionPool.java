package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pool of the connections over which one application fetches and uploads. An exchange is a request with its response.
 * Per address, small requests share a few connections, and each larger transfer has a connection of its own. Owned by
 * one event loop, its home loop; connections on other loops submit tasks to the home loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class BulkConnectionPool {
    private static final String CLOSED = "this process closes its connections";

    private final BulkConnector opener;
    private final BulkServices services;
    private final EventExecutor home;
    private final Map<Destination, Pool> pools = new LinkedHashMap<>();
    private final Map<BulkClientConnection, Boolean> open = new ConcurrentHashMap<>(); // for snapshots
    private boolean closed;

    BulkConnectionPool(BulkConnector opener, BulkServices services, EventExecutor home) {
        this.opener = opener;
        this.services = services;
        this.home = home;
    }

    /** Sends a request as soon as a connection is available. Thread-safe. */
    void submit(BulkExchange exchange) {
        runAtHome(() -> pool(exchange).add(exchange), () -> refuse(exchange));
    }

    /** Closes all connections; unfinished requests fail. Thread-safe. */
    void close() {
        runAtHome(this::closeNow, () -> {});
        // closed here too, because the event loops of the connections may end before the home loop acts
        open.keySet().forEach(connection -> connection.close(CLOSED));
    }

    List<BulkSnapshot> snapshots() {
        return open.keySet().stream().map(BulkClientConnection::snapshot).toList();
    }

    private void closeNow() {
        closed = true;
        List<Pool> all = new ArrayList<>(pools.values());
        pools.clear();
        all.forEach(Pool::close);
    }

    private Pool pool(BulkExchange exchange) {
        Destination destination = new Destination(exchange.address(), exchange.isSmall());
        return pools.computeIfAbsent(destination, Pool::new);
    }

    private static void refuse(BulkExchange exchange) {
        exchange.fail(ErrorCode.PEER_LOST.failure(exchange.subject() + ": " + CLOSED + " (expected: an open scope)"));
    }

    private void runAtHome(Runnable action, Runnable otherwise) {
        try {
            home.execute(action);
        } catch (RejectedExecutionException ended) {
            // the event loops are shut down, because the RPC environment closes
            otherwise.run();
        }
    }

    private record Destination(RpcAddress address, boolean small) {}

    /**
     * Pooled connection with its load, which is the number of its unfinished exchanges (requests with their responses),
     * and the time since which it is idle.
     */
    private static final class Slot {
        private final BulkClientConnection connection;
        private int load;
        private boolean paused;
        private long idleSinceNanos;
        private boolean idleTimer; // whether an idle timer is running

        Slot(BulkClientConnection connection) {
            this.connection = connection;
        }
    }

    /**
     * Connections to one address, either for small requests or for larger transfers, and the exchanges that wait for
     * such a connection. Used on the home loop only.
     */
    private final class Pool implements BulkClientConnection.Owner {
        private final Destination destination;
        private final int perConnection;
        private final Queue<BulkExchange> waiting = new ArrayDeque<>();
        private final Map<BulkClientConnection, Slot> slots = new LinkedHashMap<>();
        private int opening;

        Pool(Destination destination) {
            this.destination = destination;
            this.perConnection = destination.small ? BulkLimits.PIPELINED_REQUESTS_MAX : 1;
        }

        void add(BulkExchange exchange) {
            if (closed) {
                refuse(exchange);
            } else if (waiting.size() >= BulkLimits.WAITING_MAX) {
                exchange.fail(ErrorCode.TOO_MANY_ASKS.failure(exchange.subject() + ": " + waiting.size()
                        + " requests to the serving process wait already (expected: at most that many, with this one);"
                        + " send fewer requests at once"));
            } else {
                waiting.add(exchange);
                assignWaiting();
            }
        }

        void close() {
            waiting.forEach(BulkConnectionPool::refuse);
            waiting.clear();
            List.copyOf(slots.keySet()).forEach(connection -> connection.close(CLOSED));
        }

        @Override
        public void freed(BulkClientConnection connection) {
            runAtHome(
                    () -> {
                        Slot slot = slots.get(connection);
                        if (slot != null) {
                            slot.load--;
                            assignWaiting();
                            closeWhenIdle(slot);
                        }
                    },
                    () -> {});
        }

        @Override
        public void paused(BulkClientConnection connection, boolean paused) {
            runAtHome(
                    () -> {
                        Slot slot = slots.get(connection);
                        if (slot != null) {
                            slot.paused = paused;
                            assignWaiting();
                        }
                    },
                    () -> {});
        }

        @Override
        public void retry(BulkClientConnection connection, BulkExchange exchange) {
            runAtHome(
                    () -> {
                        Optional.ofNullable(slots.get(connection)).ifPresent(slot -> slot.load--);
                        pool(exchange).add(exchange);
                    },
                    () -> refuse(exchange));
        }

        @Override
        public void closed(BulkClientConnection connection) {
            open.remove(connection);
            runAtHome(
                    () -> {
                        slots.remove(connection);
                        assignWaiting();
                        removeIfEmpty();
                    },
                    () -> {});
        }

        /**
         * Assigns waiting exchanges (requests with their responses) to the connections with the fewest unfinished ones.
         * For exchanges that still wait, opens connections up to the maxima in {@link BulkLimits}.
         */
        private void assignWaiting() {
            while (!waiting.isEmpty()) {
                Slot slot = waiting.element().isDone() ? null : leastLoaded();
                if (slot == null && !waiting.element().isDone()) {
                    break;
                }
                BulkExchange next = waiting.remove();
                if (slot != null) {
                    slot.load++;
                    slot.connection.send(next);
                }
            }
            int wanted = (waiting.size() + perConnection - 1) / perConnection;
            while (opening < wanted
                    && opening + reading() < BulkLimits.CONNECTIONS_MAX
                    && opening + slots.size() < BulkLimits.CONNECTIONS_WITH_PAUSED_MAX) {
                open();
            }
            if (opening == 0 && slots.size() >= BulkLimits.CONNECTIONS_WITH_PAUSED_MAX && reading() == 0) {
                failWaiting(exchange -> ErrorCode.TOO_MANY_ASKS.failure(exchange.subject() + ": " + slots.size()
                        + " paused transfers hold all connections to the serving process (expected: one connection"
                        + " that is"
                        + " free); resume or abort some of these transfers"));
            }
        }

        private @Nullable Slot leastLoaded() {
            return slots.values().stream()
                    .filter(slot -> !slot.paused && slot.load < perConnection)
                    .min(Comparator.comparingInt(slot -> slot.load))
                    .orElse(null);
        }

        private int reading() {
            return (int) slots.values().stream().filter(slot -> !slot.paused).count();
        }

        private void open() {
            opening++;
            opener.open(destination.address)
                    .whenComplete((channel, failure) -> runAtHome(
                            () -> {
                                opening--;
                                if (failure == null) {
                                    opened(channel);
                                } else {
                                    refused(failure);
                                }
                            },
                            () -> {
                                if (failure == null) {
                                    channel.close();
                                }
                            }));
        }

        private void opened(Channel channel) {
            if (closed) {
                channel.close();
                return;
            }
            BulkClientConnection connection =
                    new BulkClientConnection(channel, destination.address.toString(), services, this);
            slots.put(connection, new Slot(connection));
            open.put(connection, true);
            channel.pipeline().addLast("bulk", connection);
            assignWaiting();
            closeWhenIdle(slots.get(connection));
        }

        /**
         * Handles the failure to open a connection. Waiting exchanges fail, unless another connection is being opened
         * or is open and not paused.
         */
        private void refused(Throwable failure) {
            if (reading() == 0 && opening == 0) { // paused connections do not count, because they may never resume
                failWaiting(exchange -> Failures.asHearth(failure, ErrorCode.PEER_UNREACHABLE, exchange.subject()));
            }
            removeIfEmpty();
        }

        private void failWaiting(Function<BulkExchange, HearthException> failure) {
            List<BulkExchange> failing = new ArrayList<>(waiting);
            waiting.clear();
            failing.forEach(exchange -> exchange.fail(failure.apply(exchange)));
        }

        private void closeWhenIdle(Slot slot) {
            if (slot.load == 0) {
                slot.idleSinceNanos = services.ticker().nanos();
                if (!slot.idleTimer) {
                    scheduleIdleCheck(slot, services.times().clientIdleMax().toNanos());
                }
            }
        }

        /**
         * Schedules a check that closes the connection if it is still idle. Each connection has at most one such timer,
         * however often it becomes idle.
         */
        private void scheduleIdleCheck(Slot slot, long nanos) {
            slot.idleTimer = true;
            home.schedule(
                    () -> {
                        slot.idleTimer = false;
                        long left = services.times().clientIdleMax().toNanos()
                                - (services.ticker().nanos() - slot.idleSinceNanos);
                        if (slot.load == 0 && left > 0) {
                            scheduleIdleCheck(slot, left);
                        } else if (slot.load == 0 && slots.remove(slot.connection) != null) {
                            slot.connection.close("idle");
                        }
                    },
                    nanos,
                    TimeUnit.NANOSECONDS);
        }

        private void removeIfEmpty() {
            if (slots.isEmpty() && waiting.isEmpty() && opening == 0) {
                pools.remove(destination, this);
            }
        }
    }
}
