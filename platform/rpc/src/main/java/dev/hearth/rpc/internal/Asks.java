package dev.hearth.rpc.internal;

import dev.hearth.spi.error.ErrorCode;
import io.netty.util.concurrent.EventExecutor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The asks under way to one peer, bounded in number, each with its timer. Owned by the channel's event loop. */
final class Asks {
    private final EventExecutor loop;
    private final int asksMax;
    private final Map<Long, PendingAsk> byId = new LinkedHashMap<>();

    Asks(EventExecutor loop, int asksMax) {
        this.loop = loop;
        this.asksMax = asksMax;
    }

    /** Begins to wait; false when too many do, and then the ask has failed. */
    boolean add(PendingAsk ask) {
        if (byId.size() >= asksMax) {
            ask.fail(
                    ErrorCode.TOO_MANY_ASKS,
                    byId.size() + " asks wait for this peer already (expected: fewer than"
                            + " hearth.rpc.asksPerPeerMax = " + asksMax + "); ask less at once");
            return false;
        }
        byId.put(ask.id(), ask);
        ask.timeBy(loop.schedule(() -> expire(ask), ask.remainingNanos(), TimeUnit.NANOSECONDS));
        return true;
    }

    /** Ends the waiting for an answer that came; null when nobody waits for it any more. */
    @Nullable
    PendingAsk remove(long id) {
        PendingAsk ask = byId.remove(id);
        if (ask != null) {
            ask.untime();
        }
        return ask;
    }

    void failAll(ErrorCode code, String reason) {
        List<PendingAsk> all = List.copyOf(byId.values());
        byId.clear();
        for (PendingAsk ask : all) {
            ask.untime();
            ask.fail(code, reason);
        }
    }

    private void expire(PendingAsk ask) {
        if (byId.remove(ask.id(), ask)) {
            ask.expire();
        }
    }
}
