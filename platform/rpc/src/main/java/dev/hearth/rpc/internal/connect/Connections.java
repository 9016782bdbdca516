package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSnapshot.Refusals;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the accepted connections of one env, in their handshake and open, and what became of the others. Any thread. */
public final class Connections {
    private final RpcLimits limits;
    private final AtomicInteger inHandshake = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder foreign = new LongAdder();
    private final LongAdder tooMany = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder notAuthenticated = new LongAdder();
    private final LongAdder unknownScope = new LongAdder();

    public Connections(RpcLimits limits) {
        this.limits = limits;
    }

    public Refusals refusals() {
        return new Refusals(
                inHandshake.get(),
                foreign.sum(),
                tooMany.sum(),
                timedOut.sum(),
                notAuthenticated.sum(),
                unknownScope.sum());
    }

    /** Counts a connection in that has said nothing yet; false when there are too many, and then it is not counted. */
    boolean enter() {
        boolean room = open.incrementAndGet() <= limits.connectionsMax();
        if (room && inHandshake.incrementAndGet() <= limits.handshakesMax()) {
            return true;
        }
        if (room) {
            inHandshake.decrementAndGet();
        }
        open.decrementAndGet();
        tooMany.increment();
        return false;
    }

    /** The connection has said who it is, or will never. */
    void handshakeEnded() {
        inHandshake.decrementAndGet();
    }

    void closed() {
        open.decrementAndGet();
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

    /** Why an accepted connection came to nothing. */
    enum Refusal {
        FOREIGN,
        TIMED_OUT,
        NOT_AUTHENTICATED,
        UNKNOWN_SCOPE,
        BROKEN
    }
}
