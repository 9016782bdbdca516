package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSnapshot.Refusals;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Limits the accepted connections of one RPC environment, and counts the open and the refused ones. Unauthenticated
 * connections (in their handshake, or HTTP without an accepted token) have a limit of their own. When it is reached, an
 * old one is closed for each new one, idle HTTP first. They thus cannot block others. Any thread may call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
public final class ConnectionLimiter {
    /**
     * Number of open connections from which on the limit of open files is taken into account. It is read only then,
     * because reading it takes a while.
     */
    static final int DESCRIPTORS_ASKED_FROM = 32;

    private final RpcLimits limits;
    private final Supplier<OptionalLong> freeDescriptors;
    // connections in their handshake, oldest first; guarded by this, like all other fields except the counters
    private final Set<Channel> handshaking = new LinkedHashSet<>();
    // HTTP without an accepted token: connections without a request in a handler, longest idle first
    private final Set<Channel> idleHttp = new LinkedHashSet<>();
    // HTTP without an accepted token: connections with a request in a handler, or a response on its way, oldest first
    private final Set<Channel> busyHttp = new LinkedHashSet<>();
    // connections that will be closed unless they authenticate first
    private final Set<Channel> evicting = new LinkedHashSet<>();
    private int open;
    private int room = Integer.MAX_VALUE; // for connections, within the limit of open files
    private boolean roomKnown;
    private final LongAdder foreign = new LongAdder();
    private final LongAdder tooMany = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder notAuthenticated = new LongAdder();
    private final LongAdder unknownScope = new LongAdder();

    public ConnectionLimiter(RpcLimits limits) {
        this(limits, DescriptorLimit::free);
    }

    /**
     * Creates a limiter. {@code freeDescriptors} supplies the number of file descriptors that this process can still
     * open; empty if unknown.
     */
    ConnectionLimiter(RpcLimits limits, Supplier<OptionalLong> freeDescriptors) {
        this.limits = limits;
        this.freeDescriptors = freeDescriptors;
    }

    public Refusals refusals() {
        return new Refusals(
                inHandshake(),
                foreign.sum(),
                tooMany.sum(),
                timedOut.sum(),
                notAuthenticated.sum(),
                unknownScope.sum());
    }

    /** Counts a new connection. Returns false, without counting it, if there are too many connections. */
    boolean enter(Channel channel) {
        List<Channel> evicted = new ArrayList<>();
        synchronized (this) {
            if (handshaking.size() >= limits.handshakesMax()) {
                evicted.add(take(handshaking));
            }
            if (unauthenticated() >= unauthenticatedMax()) {
                evicted.add(take(mostDispensable()));
            }
            if (open - evicting.size() >= connectionsMax()) {
                if (unauthenticated() == 0) {
                    tooMany.increment();
                    return false;
                }
                evicted.add(take(mostDispensable()));
            }
            open++;
            handshaking.add(channel);
        }
        // each on its own event loop, where it may have authenticated in the meantime
        evicted.forEach(each -> each.eventLoop().execute(() -> evict(each)));
        return true;
    }

    /**
     * Returns the maximum number of open connections: the configured limit, or fewer if the limit of open files
     * requires it.
     */
    synchronized int connectionsMax() {
        return Math.min(limits.connectionsMax(), room());
    }

    /**
     * Removes a connection from the limit for unauthenticated ones. Called when it has proved the secret or shown the
     * token, or needs neither.
     */
    public synchronized void authenticated(Channel channel) {
        forget(channel);
    }

    /**
     * Moves a connection from those in their handshake to the idle HTTP connections, which count as unauthenticated
     * too. Called when its first bytes are HTTP.
     */
    synchronized void isHttp(Channel channel) {
        if (handshaking.remove(channel)) {
            idleHttp.add(channel);
        }
    }

    /**
     * Counts an unauthenticated HTTP connection as busy, so that idle ones are closed first. Called when a handler gets
     * a request of the connection.
     */
    public synchronized void busy(Channel channel) {
        if (idleHttp.remove(channel)) {
            busyHttp.add(channel);
        }
    }

    /**
     * Counts an unauthenticated HTTP connection as idle, so that it is closed before busy ones. Called when the
     * connection waits for its next request.
     */
    public synchronized void idle(Channel channel) {
        if (busyHttp.remove(channel)) {
            idleHttp.add(channel);
        }
    }

    /** Removes a connection from the limit for unauthenticated ones. Called when its handshake has failed. */
    synchronized void handshakeFailed(Channel channel) {
        forget(channel);
    }

    synchronized void closed(Channel channel) {
        forget(channel);
        open--;
    }

    void refused(Refusal reason) {
        switch (reason) {
            case FOREIGN -> foreign.increment();
            case TIMED_OUT -> timedOut.increment();
            case NOT_AUTHENTICATED -> notAuthenticated.increment();
            case UNKNOWN_SCOPE -> unknownScope.increment();
            case BROKEN -> {
                // do not count this: the remote process disconnected
            }
        }
    }

    private synchronized int inHandshake() {
        return handshaking.size();
    }

    private int unauthenticated() {
        return handshaking.size() + idleHttp.size() + busyHttp.size();
    }

    private int unauthenticatedMax() {
        int wanted = limits.unauthenticatedMax();
        int usual = (int) Math.min(connectionsMax() * 3L / 4, room() / 2); // an HTTP response may hold a file open
        return Math.max(1, wanted > 0 ? Math.min(wanted, connectionsMax()) : usual);
    }

    private int room() {
        if (!roomKnown && open >= DESCRIPTORS_ASKED_FROM) {
            roomKnown = true;
            freeDescriptors.get().ifPresent(free -> room = DescriptorLimit.connections(free + open));
        }
        return room;
    }

    /**
     * Returns the group of unauthenticated connections from which to close the oldest: idle HTTP, in their handshake or
     * busy HTTP. It is not empty, unless all three groups are.
     */
    private Set<Channel> mostDispensable() {
        if (!idleHttp.isEmpty()) {
            return idleHttp;
        }
        return handshaking.size() >= busyHttp.size() ? handshaking : busyHttp;
    }

    private Channel take(Set<Channel> some) {
        Channel oldest = some.iterator().next();
        some.remove(oldest);
        evicting.add(oldest);
        return oldest;
    }

    private void forget(Channel channel) {
        handshaking.remove(channel);
        idleHttp.remove(channel);
        busyHttp.remove(channel);
        evicting.remove(channel);
    }

    private void evict(Channel channel) {
        boolean stillUnknown;
        synchronized (this) {
            stillUnknown = evicting.remove(channel);
        }
        if (stillUnknown) {
            tooMany.increment();
            channel.close();
        }
    }

    /**
     * Reason why an accepted connection was refused. Refusals are counted by reason, except BROKEN: the remote process
     * disconnected.
     */
    enum Refusal {
        FOREIGN,
        TIMED_OUT,
        NOT_AUTHENTICATED,
        UNKNOWN_SCOPE,
        BROKEN
    }
}
