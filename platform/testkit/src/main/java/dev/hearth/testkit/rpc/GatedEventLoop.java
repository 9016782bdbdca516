package dev.hearth.testkit.rpc;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A loop that runs nothing until it is let go: for endpoints that have too much to do. Any thread may call. */
final class GatedEventLoop implements EventLoop {
    private final EventLoop inner;
    private final Deque<Runnable> held = new ArrayDeque<>(); // guarded by this, as is what follows
    private final int enough;
    private final CompletableFuture<@Nullable Void> full = new CompletableFuture<>();
    private boolean holding = true;

    GatedEventLoop(EventLoop inner, int enough) {
        this.inner = inner;
        this.enough = enough;
    }

    /** Completes once so many actions wait. */
    CompletionStage<@Nullable Void> full() {
        return full;
    }

    void letGo() {
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
