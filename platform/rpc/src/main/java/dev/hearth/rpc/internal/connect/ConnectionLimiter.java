package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSnapshot.Refusals;
import io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Limits the accepted connections of one RPC environment, and counts the open and the refused ones. When too many are
 * in the handshake, the oldest of them is closed, so that silent clients cannot block others. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
public final class ConnectionLimiter {
    private final RpcLimits limits;
    // connections in their handshake; this field and the next two are guarded by this
    private final Set<Channel> handshaking = new LinkedHashSet<>();
    // connections chosen for closing, unless their handshake ends first
    private final Set<Channel> evicting = new LinkedHashSet<>();
    private int open;
    private final LongAdder foreign = new LongAdder();
    private final LongAdder tooMany = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder notAuthenticated = new LongAdder();
    private final LongAdder unknownScope = new LongAdder();

    public ConnectionLimiter(RpcLimits limits) {
        this.limits = limits;
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
        @Nullable Channel evicted;
        synchronized (this) {
            if (open >= limits.connectionsMax()) {
                tooMany.increment();
                return false;
            }
            open++;
            evicted = handshaking.size() < limits.handshakesMax() ? null : takeOldest();
            handshaking.add(channel);
        }
        if (evicted != null) {
            // close it on its own event loop, because its handshake may have ended in the meantime
            evicted.eventLoop().execute(() -> evict(evicted));
        }
        return true;
    }

    /** Stops counting a connection as being in its handshake, because that has succeeded or failed. */
    synchronized void handshakeEnded(Channel channel) {
        handshaking.remove(channel);
        evicting.remove(channel);
    }

    synchronized void closed(Channel channel) {
        handshakeEnded(channel);
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

    private Channel takeOldest() {
        Channel oldest = handshaking.iterator().next();
        handshaking.remove(oldest);
        evicting.add(oldest);
        return oldest;
    }

    private void evict(Channel channel) {
        boolean stillSilent;
        synchronized (this) {
            stillSilent = evicting.remove(channel);
        }
        if (stillSilent) {
            tooMany.increment();
            channel.close();
        }
    }

    /** Reason why an accepted connection was refused. */
    enum Refusal {
        FOREIGN,
        TIMED_OUT,
        NOT_AUTHENTICATED,
        UNKNOWN_SCOPE,
        BROKEN
    }
}
