package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSnapshot.Refusals;
import io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the accepted connections of one env, in their handshake and open, and what became of the others. Of too many in
 * their handshake the oldest is closed, so that those who say nothing do not keep out those who do. Any thread may call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
public final class ConnectionLimiter {
    private final RpcLimits limits;
    private final Set<Channel> arriving = new LinkedHashSet<>(); // guarded by this, as are the next two
    private final Set<Channel> leaving = new LinkedHashSet<>(); // to give way, unless they have said who they are
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

    /** Counts a connection in that has said nothing yet; false when there are too many, and then it is not counted. */
    boolean enter(Channel channel) {
        @Nullable Channel evicted;
        synchronized (this) {
            if (open >= limits.connectionsMax()) {
                tooMany.increment();
                return false;
            }
            open++;
            evicted = arriving.size() < limits.handshakesMax() ? null : takeOldest();
            arriving.add(channel);
        }
        if (evicted != null) {
            evicted.eventLoop().execute(() -> evict(evicted)); // where it may have been welcomed a moment ago
        }
        return true;
    }

    /** The connection has said who it is, or will never. */
    synchronized void handshakeEnded(Channel channel) {
        arriving.remove(channel);
        leaving.remove(channel);
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
                // whoever came has gone again: nothing that anybody did wrong
            }
        }
    }

    private synchronized int inHandshake() {
        return arriving.size();
    }

    private Channel takeOldest() {
        Channel oldest = arriving.iterator().next();
        arriving.remove(oldest);
        leaving.add(oldest);
        return oldest;
    }

    private void evict(Channel channel) {
        boolean saysNothing;
        synchronized (this) {
            saysNothing = leaving.remove(channel);
        }
        if (saysNothing) {
            tooMany.increment();
            channel.close();
        }
    }

    /** Why an accepted connection came to nothing. */
    enum Refusal {
        FOREIGN,
        TIMED_OUT,
        NOT_AUTHENTICATED,
        UNKNOWN_SCOPE,
        BROKEN
    }
}
