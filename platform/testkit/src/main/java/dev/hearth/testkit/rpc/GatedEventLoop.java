package dev.hearth.testkit.rpc;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Event loop that queues its actions until the test releases it. It fills the queues of the endpoints that run on it,
 * for tests of overload. Any thread may call.
 */
final class GatedEventLoop implements EventLoop {
    private final EventLoop inner;
    private final Deque<Runnable> held = new ArrayDeque<>(); // guarded by this, as are the fields below
    private final int enough;
    private final CompletableFuture<@Nullable Void> full = new CompletableFuture<>();
    private boolean holding = true;

    GatedEventLoop(EventLoop inner, int enough) {
        this.inner = inner;
        this.enough = enough;
    }

    /** Completion stage that completes once as many actions are queued as the constructor requires. */
    CompletionStage<@Nullable Void> full() {
        return full;
    }

    void release() {
        synchronized (this) {
            holding = false;
            held.forEach(inner::execute);
            held.clear();
        }
    }

    @Override
    public Ticker ticker() {
        return inner.ticker();
    }

    @Override
    public boolean inLoop() {
        return inner.inLoop();
    }

    @Override
    public void execute(Runnable action) {
        boolean nowFull;
        synchronized (this) {
            if (!holding) {
                inner.execute(action);
                return;
            }
            held.addLast(action);
            nowFull = held.size() >= enough;
        }
        if (nowFull) {
            full.complete(null);
        }
    }

    @Override
    public Timeout schedule(Duration delay, Runnable action) {
        return inner.schedule(delay, action);
    }

    @Override
    public void close() {
        inner.close();
    }
}
