package dev.hearth.spi.rpc;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Connections shared by the endpoint refs of a scope, one per address. When there are many, idle connections are
 * dropped; a ref creates its dropped connection again on the next use.
 * <p>Guarded by its own lock, which is not held while other components are called, except for clocks. Lives as long as
 * its scope. Any thread may call.
 */
public final class Reconnections {
    /**
     * Number of connections from which on idle ones are dropped before another is added. That happens again once the
     * number of remaining connections has doubled, but never below this number.
     */
    static final int RETAINED_MIN = 64;

    private final RpcTimes times;
    private final Function<RpcAddress, AddressConnector> lines;
    private final Map<RpcAddress, Reconnection> byAddress =
            new LinkedHashMap<>(); // guarded by this object, as are the fields below
    private int sweepAt = RETAINED_MIN;
    private String closeReason = ""; // reason of the close; empty while this is open

    /**
     * Creates the set of connections of one scope, empty at first. {@code lines} creates the connector to an address.
     */
    public Reconnections(RpcTimes times, Function<RpcAddress, AddressConnector> lines) {
        this.times = times;
        this.lines = lines;
    }

    /** Reference to {@code endpoint} through the shared connection to its address, which reconnects by itself. */
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        return at(endpoint.address()).ref(endpoint.endpoint(), protocol);
    }

    /**
     * Notifies all connections that peer {@code gone} is lost; the connection that used it reconnects when next used.
     */
    public void lost(Peer gone) {
        all().forEach(each -> each.lost(gone));
    }

    /** Closes all connections: queued and future asks fail with {@code PEER_LOST}. */
    public void close(String reason) {
        List<Reconnection> closing;
        synchronized (this) {
            closeReason = reason;
            closing = all();
            byAddress.clear();
        }
        closing.forEach(each -> each.close(reason));
    }

    synchronized int size() {
        return byAddress.size();
    }

    private synchronized List<Reconnection> all() {
        return List.copyOf(byAddress.values());
    }

    /** The current connection to {@code address}; creates one, which connects on first use, if there is none. */
    private synchronized Reconnection at(RpcAddress address) {
        Reconnection known = byAddress.get(address);
        if (known != null) {
            return known;
        }
        if (byAddress.size() >= sweepAt) {
            byAddress.values().removeIf(Reconnection::retire);
            sweepAt = Math.max(RETAINED_MIN, 2 * byAddress.size());
        }
        Reconnection created = new Reconnection(address, times, lines.apply(address), () -> at(address));
        if (closeReason.isEmpty()) {
            byAddress.put(address, created);
        } else {
            created.close(closeReason); // nothing is queued yet
        }
        return created;
    }

    /**
     * Connects to one address on behalf of a scope. Its methods are called without locks, except {@link #ticker} and
     * {@link #random}.
     */
    public interface AddressConnector {
        /** Attempts once to connect to the address; further attempts are further calls. */
        CompletionStage<Peer> connect();

        EventLoop.Timeout schedule(Duration delay, Runnable action);

        Ticker ticker();

        RandomGenerator random();

        /** Logs that {@code messages} queued messages that expect no answer were dropped, because of {@code reason}. */
        void dropped(int messages, Throwable reason);
    }
}
