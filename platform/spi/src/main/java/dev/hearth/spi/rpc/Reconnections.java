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
 * The connections that refs by address share, one per address. Those that have had nothing to do for long are forgotten when
 * there are many; a ref to one of them has it made again when it is used.
 * <p>Its lock is itself, under which nothing of others is called but clocks. Lives as long as its scope. Any thread may call.
 */
public final class Reconnections {
    /** So many are kept whether or not they have anything to do; beyond, as many as twice those that have. */
    static final int KEPT_MIN = 64;

    private final RpcTimes times;
    private final Function<RpcAddress, AddressConnector> lines;
    private final Map<RpcAddress, Reconnection> byAddress =
            new LinkedHashMap<>(); // guarded by this, as is what follows
    private int sweepAt = KEPT_MIN;
    private String closedFor = ""; // why; nothing while it is open

    /** {@code lines} says how an address is connected to. */
    public Reconnections(RpcTimes times, Function<RpcAddress, AddressConnector> lines) {
        this.times = times;
        this.lines = lines;
    }

    /** An endpoint by where it is. */
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        return at(endpoint.address()).ref(endpoint.endpoint(), protocol);
    }

    /** The owner's word that a peer of its scope is gone. */
    public void lost(Peer gone) {
        all().forEach(each -> each.lost(gone));
    }

    /** Ends them all: asks that wait fail with {@code PEER_LOST}, and so do those to come. */
    public void close(String reason) {
        List<Reconnection> closing;
        synchronized (this) {
            closedFor = reason;
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

    /** The one of an address now. */
    private synchronized Reconnection at(RpcAddress address) {
        Reconnection known = byAddress.get(address);
        if (known != null) {
            return known;
        }
        if (byAddress.size() >= sweepAt) {
            byAddress.values().removeIf(Reconnection::retire);
            sweepAt = Math.max(KEPT_MIN, 2 * byAddress.size());
        }
        Reconnection made = new Reconnection(address, times, lines.apply(address), () -> at(address));
        if (closedFor.isEmpty()) {
            byAddress.put(address, made);
        } else {
            made.close(closedFor); // nothing waits for it yet
        }
        return made;
    }

    /** What the connection to one address needs of its scope. Called outside locks, but for its clock and chance. */
    public interface AddressConnector {
        /** Connects once. */
        CompletionStage<Peer> connect();

        EventLoop.Timeout schedule(Duration delay, Runnable action);

        Ticker ticker();

        RandomGenerator random();

        /** So many messages that nobody waits for an answer to were dropped, for people to read. */
        void dropped(int messages, Throwable reason);
    }
}
