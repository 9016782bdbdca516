package dev.hearth.yarn.internal.hadoop;

import dev.hearth.spi.time.Ticker;
import dev.hearth.yarn.internal.line.LineOrders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Work of a line thread, and the time at which its next beat is due. Guarded by its lock. */
final class LineInbox {
    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<LineOrders> orders = new ArrayList<>();
    private Optional<String> url = Optional.empty();
    private long dueNanos;
    private boolean ending;

    /** Orders and an address to note before the beat that is due. Immutable. */
    record Work(List<LineOrders> orders, Optional<String> url) {}

    LineInbox(Ticker ticker) {
        this.ticker = ticker;
        this.dueNanos = ticker.nanos();
    }

    void order(LineOrders added) {
        locked(() -> orders.add(added));
    }

    void url(String address) {
        locked(() -> url = Optional.of(address));
    }

    /** Makes the next beat due after {@code delay}, unless it is due earlier. */
    void dueWithin(Duration delay) {
        locked(() -> {
            long due = ticker.nanos() + delay.toNanos();
            if (due - dueNanos < 0) {
                dueNanos = due;
                changed.signalAll();
            }
        });
    }

    void end() {
        locked(() -> {
            ending = true;
            changed.signalAll();
        });
    }

    boolean isEnding() {
        lock.lock();
        try {
            return ending;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a beat is due, or the line ends; returns the work for the beat. The one after it is due after {@code next},
     * unless its owner asks for an earlier one.
     */
    Work await(Duration next) throws InterruptedException {
        lock.lock();
        try {
            for (long left = dueNanos - ticker.nanos(); left > 0 && !ending; left = dueNanos - ticker.nanos()) {
                changed.awaitNanos(left);
            }
            dueNanos = ticker.nanos() + next.toNanos();
            Work work = new Work(List.copyOf(orders), url);
            orders = new ArrayList<>();
            url = Optional.empty();
            return work;
        } finally {
            lock.unlock();
        }
    }

    /** Waits {@code pause}, or until the line ends. */
    void pause(Duration pause) throws InterruptedException {
        long until = ticker.nanos() + pause.toNanos();
        lock.lock();
        try {
            for (long left = until - ticker.nanos(); left > 0 && !ending; left = until - ticker.nanos()) {
                changed.await(left, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }
}
