package dev.hearth.rpc.internal.http;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deadline of the current step of one connection, which moves often. Moving it to a later time needs no new timer: when
 * the timer fires early, it is started again. Owned by an event loop.
 */
final class Deadline {
    private final EventExecutor loop;
    private @Nullable Runnable action; // null: no deadline
    private long atNanos;
    private @Nullable Future<?> timer;
    private long timerAtNanos;

    Deadline(EventExecutor loop) {
        this.loop = loop;
    }

    /**
     * Sets the deadline to {@code delay} from now, instead of the previous one if any. If the deadline passes, {@code
     * late} runs.
     */
    void set(Duration delay, Runnable late) {
        action = late;
        atNanos = loop.ticker().nanoTime() + delay.toNanos();
        if (timer == null || timerAtNanos - atNanos > 0) {
            start();
        }
    }

    void clear() {
        action = null;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void start() {
        if (timer != null) {
            timer.cancel(false);
        }
        timerAtNanos = atNanos;
        timer = loop.schedule(this::fire, atNanos - loop.ticker().nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void fire() {
        timer = null;
        Runnable due = action;
        if (due == null) {
            return;
        }
        if (atNanos - loop.ticker().nanoTime() > 0) {
            start();
        } else {
            action = null;
            due.run();
        }
    }
}
