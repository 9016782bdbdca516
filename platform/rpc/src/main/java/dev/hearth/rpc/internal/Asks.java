package dev.hearth.rpc.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.time.Ticker;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The asks under way to one peer, bounded in number. Owned by the channel's event loop, which sweeps out those that have
 * waited too long: one timer for all, set to the first deadline and no closer than {@link #SWEEP_MILLIS_MIN} to the last.
 * <p>A hash table with open addresses, since an ask is to cost no more than it must.
 */
final class Asks {
    private static final long SWEEP_MILLIS_MIN = 5;
    private static final int CAPACITY_FIRST = 16;

    private final EventExecutor loop;
    private final Ticker ticker;
    private final int asksMax;
    private @Nullable PendingAsk<?>[] slots = new PendingAsk<?>[CAPACITY_FIRST]; // a power of two, at most half full
    private volatile int size; // written by the loop, read by who looks on
    private @Nullable Future<?> timer;
    private long timerNanos;
    private long sweptNanos;

    Asks(EventExecutor loop, Ticker ticker, int asksMax) {
        this.loop = loop;
        this.ticker = ticker;
        this.asksMax = asksMax;
        this.sweptNanos = ticker.nanos() - TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS_MIN);
    }

    int size() {
        return size;
    }

    /** Begins to wait; false when too many do, and then the ask has failed, or when nobody wants the answer any more. */
    boolean add(PendingAsk<?> ask) {
        if (ask.isDone()) {
            return false;
        }
        int held = size; // written by this thread alone
        if (held >= asksMax) {
            ask.fail(
                    ErrorCode.TOO_MANY_ASKS,
                    held + " asks wait for this peer already (expected: fewer than" + " hearth.rpc.asksPerPeerMax = "
                            + asksMax + "); ask less at once");
            return false;
        }
        if (held * 2 >= slots.length) {
            grow();
        }
        put(ask);
        size = held + 1;
        plan(ask.deadlineNanos());
        return true;
    }

    /** Ends the waiting for an answer that came; null when nobody waits for it any more. */
    @Nullable
    PendingAsk<?> remove(long id) {
        int mask = slots.length - 1;
        for (int at = slot(id, mask); ; at = at + 1 & mask) {
            PendingAsk<?> found = slots[at];
            if (found == null) {
                return null;
            }
            if (found.id() == id) {
                int held = size;
                size = held - 1;
                close(at, mask);
                return found;
            }
        }
    }

    void failAll(ErrorCode code, String reason) {
        @Nullable PendingAsk<?>[] all = slots;
        slots = new PendingAsk<?>[CAPACITY_FIRST];
        size = 0;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        Arrays.sort(all, (a, b) -> Long.compare(a == null ? 0 : a.id(), b == null ? 0 : b.id())); // in the order asked
        for (PendingAsk<?> ask : all) {
            if (ask != null) {
                ask.fail(code, reason);
            }
        }
    }

    private void plan(long deadlineNanos) {
        if (timer == null || deadlineNanos - timerNanos < 0) {
            if (timer != null) {
                timer.cancel(false);
            }
            long earliest = sweptNanos + TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS_MIN);
            timerNanos = deadlineNanos - earliest < 0 ? earliest : deadlineNanos;
            timer = loop.schedule(this::sweep, Math.max(0, timerNanos - ticker.nanos()), TimeUnit.NANOSECONDS);
        }
    }

    /** Expires what is due, and plans for the first of the others. */
    private void sweep() {
        timer = null;
        long now = ticker.nanos();
        sweptNanos = now;
        boolean any = false;
        long first = 0;
        @Nullable PendingAsk<?>[] due = new PendingAsk<?>[0];
        int dueCount = 0;
        for (PendingAsk<?> ask : slots) {
            if (ask == null) {
                continue;
            }
            if (ask.deadlineNanos() - now <= 0) {
                if (dueCount == due.length) {
                    due = Arrays.copyOf(due, Math.max(CAPACITY_FIRST, dueCount * 2));
                }
                due[dueCount++] = ask;
            } else if (!any || ask.deadlineNanos() - first < 0) {
                any = true;
                first = ask.deadlineNanos();
            }
        }
        if (any) {
            plan(first);
        }
        for (int i = 0; i < dueCount; i++) {
            PendingAsk<?> ask = due[i];
            if (ask != null && remove(ask.id()) != null) {
                ask.expire();
            }
        }
    }

    private void grow() {
        @Nullable PendingAsk<?>[] old = slots;
        slots = new PendingAsk<?>[old.length * 2];
        for (PendingAsk<?> ask : old) {
            if (ask != null) {
                put(ask);
            }
        }
    }

    private void put(PendingAsk<?> ask) {
        int mask = slots.length - 1;
        int at = slot(ask.id(), mask);
        while (slots[at] != null) {
            at = at + 1 & mask;
        }
        slots[at] = ask;
    }

    /** Empties a slot and moves up those behind it that would not be found any more. */
    private void close(int emptied, int mask) {
        int hole = emptied;
        for (int at = hole + 1 & mask; ; at = at + 1 & mask) {
            PendingAsk<?> next = slots[at];
            if (next == null) {
                slots[hole] = null;
                return;
            }
            int wanted = slot(next.id(), mask);
            boolean mayMove = hole <= at ? wanted <= hole || wanted > at : wanted <= hole && wanted > at;
            if (mayMove) {
                slots[hole] = next;
                hole = at;
            }
        }
    }

    private static int slot(long id, int mask) {
        return (int) id & mask;
    }
}
