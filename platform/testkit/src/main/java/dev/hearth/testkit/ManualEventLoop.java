package dev.hearth.testkit;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Event loop without a thread: actions and due timers run when the test calls {@link #turn} or {@link #pass}, and the
 * test's own code counts as an action. Use it for tests of single components; for whole processes use a {@link
 * Simulation}. Owned by the test's thread.
 */
public final class ManualEventLoop implements EventLoop {
    private final FakeTicker ticker = new FakeTicker();
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private final List<Timer> timers = new ArrayList<>();

    private record Timer(long dueNanos, Runnable action) {}

    /** Advances the clock, then runs all due timers and queued actions. */
    public void pass(Duration time) {
        ticker.advance(time);
        turn();
    }

    /** Runs due timers and queued actions until none is left. */
    public void turn() {
        for (Timer timer : List.copyOf(timers)) {
            if (timer.dueNanos <= ticker.nanos() && timers.remove(timer)) {
                inbox.add(timer.action);
            }
        }
        for (Runnable action = inbox.poll(); action != null; action = inbox.poll()) {
            action.run();
        }
    }

    @Override
    public Ticker ticker() {
        return ticker;
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public void execute(Runnable action) {
        inbox.add(action);
    }

    @Override
    public Timeout schedule(Duration delay, Runnable action) {
        Timer timer = new Timer(ticker.nanos() + delay.toNanos(), action);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    @Override
    public void close() {
        inbox.clear();
        timers.clear();
    }
}
