package dev.hearth.rpc.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.time.Ticker;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Table of the asks (messages that expect an answer) to one peer that still wait, bounded in number. One timer fires at
 * the earliest deadline, and sweeps the table for expired asks at most every {@link #SWEEP_MILLIS_MIN}. Owned by the
 * channel's event loop.
 *
 * <p>The table is a hash table with open addressing, to keep the cost per ask low.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored only of timers that are never cancelled
final class PendingAsks {
    private static final long SWEEP_MILLIS_MIN = 5;
    private static final int CAPACITY_FIRST = 16;

    /**
     * Delay after which an ask fails because the table is full. The delay slows down callers that retry at once, so
     * that the event loop can do other work.
     */
    static final long REFUSAL_MILLIS = 1;

    /**
     * Maximum number of refused asks that wait for their delayed failure. At this number, the {@link Outbox} sends no
     * more frames.
     */
    static final int REFUSALS_MAX = 4_096;

    private final EventExecutor loop;
    private final Ticker ticker;
    private final int asksMax;
    private final Runnable room;
    private final List<PendingAsk<?>> refused = new ArrayList<>(); // refused asks, which fail after REFUSAL_MILLIS
    // the table; its length is a power of two, and at most half of it is in use
    private @Nullable PendingAsk<?>[] slots = new PendingAsk<?>[CAPACITY_FIRST];
    private volatile int size; // written by the event loop; read by any thread
    private @Nullable Future<?> timer;
    private long timerNanos;
    private long sweptNanos;

    /**
     * Creates an empty table for at most {@code asksMax} asks. {@code room} runs when {@link #isFullOfRefused} has
     * become false again.
     */
    PendingAsks(EventExecutor loop, Ticker ticker, int asksMax, Runnable room) {
        this.loop = loop;
        this.ticker = ticker;
        this.asksMax = asksMax;
        this.room = room;
        this.sweptNanos = ticker.nanos() - TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS_MIN);
    }

    int size() {
        return size;
    }

    /** Whether {@link #REFUSALS_MAX} refused asks wait for their delayed failure. */
    boolean isFullOfRefused() {
        return refused.size() >= REFUSALS_MAX;
    }

    /**
     * Adds an ask that waits for its answer. Returns false if the ask is already done or the table is full. If the
     * table is full, the ask fails after a short delay.
     */
    boolean add(PendingAsk<?> ask) {
        if (ask.isDone()) {
            return false;
        }
        int count = size; // this need not be atomic, because only this thread writes the field
        if (count >= asksMax) {
            refused.add(ask);
            if (refused.size() == 1) {
                loop.schedule(this::refuse, REFUSAL_MILLIS, TimeUnit.MILLISECONDS);
            }
            return false;
        }
        if (count * 2 >= slots.length) {
            grow();
        }
        put(ask);
        size = count + 1;
        scheduleSweep(ask.deadlineNanos());
        return true;
    }

    /** Removes and returns the ask with this id; null if it no longer waits. */
    @Nullable
    PendingAsk<?> remove(long id) {
        int mask = slots.length - 1;
        for (int at = slot(id, mask); ; at = at + 1 & mask) {
            PendingAsk<?> found = slots[at];
            if (found == null) {
                return null;
            }
            if (found.id() == id) {
                int count = size;
                size = count - 1;
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
        // fail the asks in the order in which they were sent
        Arrays.sort(all, (a, b) -> Long.compare(a == null ? 0 : a.id(), b == null ? 0 : b.id()));
        for (PendingAsk<?> ask : all) {
            if (ask != null) {
                ask.fail(code, reason);
            }
        }
        takeRefused().forEach(ask -> ask.fail(code, reason));
    }

    private void refuse() {
        boolean full = isFullOfRefused();
        takeRefused()
                .forEach(ask -> ask.fail(
                        ErrorCode.TOO_MANY_ASKS,
                        asksMax + " asks to this peer wait for answers already (expected: at most"
                                + " hearth.rpc.asksPerPeerMax = " + asksMax + ", with this one); send fewer asks at"
                                + " once"));
        if (full) {
            room.run();
        }
    }

    private List<PendingAsk<?>> takeRefused() {
        List<PendingAsk<?>> taken = List.copyOf(refused);
        refused.clear();
        return taken;
    }

    private void scheduleSweep(long deadlineNanos) {
        if (timer == null || deadlineNanos - timerNanos < 0) {
            if (timer != null) {
                timer.cancel(false);
            }
            long earliest = sweptNanos + TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS_MIN);
            timerNanos = deadlineNanos - earliest < 0 ? earliest : deadlineNanos;
            timer = loop.schedule(this::sweep, Math.max(0, timerNanos - ticker.nanos()), TimeUnit.NANOSECONDS);
        }
    }

    /** Fails the asks whose deadlines have passed with {@code ASK_TIMED_OUT}, and schedules the next sweep. */
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
            scheduleSweep(first);
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

    /**
     * Empties the slot {@code emptied} of the hash table. Later entries that a search would then miss are moved towards
     * it.
     */
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
