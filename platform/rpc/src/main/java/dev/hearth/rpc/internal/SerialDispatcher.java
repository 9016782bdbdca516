package dev.hearth.rpc.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs actions one at a time on threads that belong to others. Shared: on those of an executor, which gets its thread back
 * after {@link #TURN} actions. Inline: whoever brings an action while none runs, runs it and all that come meanwhile.
 */
final class SerialDispatcher implements Dispatcher {
    private static final int TURN = 256;

    private final @Nullable Executor executor; // null: inline
    private final Consumer<Throwable> uncaught;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger(); // waiting and running; whoever makes it 1 runs them

    private SerialDispatcher(@Nullable Executor executor, Consumer<Throwable> uncaught) {
        this.executor = executor;
        this.uncaught = uncaught;
    }

    static SerialDispatcher inline(Consumer<Throwable> uncaught) {
        return new SerialDispatcher(null, uncaught);
    }

    static SerialDispatcher shared(Executor executor, Consumer<Throwable> uncaught) {
        return new SerialDispatcher(executor, uncaught);
    }

    @Override
    public void run(Runnable action) {
        if (executor == null && pending.compareAndSet(0, 1)) {
            runOne(action);
            if (pending.decrementAndGet() > 0) {
                takeTurn(Integer.MAX_VALUE);
            }
            return;
        }
        waiting.add(action);
        if (pending.getAndIncrement() == 0) {
            begin();
        }
    }

    @Override
    public void close() {
        // the threads belong to others, and what waits still runs
    }

    private void begin() {
        if (executor == null) {
            takeTurn(Integer.MAX_VALUE);
            return;
        }
        try {
            executor.execute(() -> {
                if (!takeTurn(TURN)) {
                    begin();
                }
            });
        } catch (RejectedExecutionException ended) { // the env is closed: the rest runs here, to be told so
            takeTurn(Integer.MAX_VALUE);
        }
    }

    /** Runs what waits; false when the turn is over and more does, which then still has nobody who runs it. */
    private boolean takeTurn(int actionsMax) {
        for (int run = 1; ; run++) {
            runOne(waiting.remove());
            if (pending.decrementAndGet() == 0) {
                return true;
            }
            if (run >= actionsMax) {
                return false;
            }
        }
    }

    private void runOne(Runnable action) {
        try {
            action.run();
        } catch (Throwable failure) { // an Error too: it is reported, and the next action has its turn
            uncaught.accept(failure);
        }
    }
}
