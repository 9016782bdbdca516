package dev.hearth.rpc.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the actions of one endpoint one at a time, on threads that it does not own. In shared mode, a thread pool runs
 * them; after {@link #BATCH_ACTIONS_MAX} actions the thread returns to the pool. In inline mode, the thread that
 * submits an action to an idle dispatcher runs it, and all actions submitted meanwhile.
 */
final class SerialDispatcher implements Dispatcher {
    private static final int BATCH_ACTIONS_MAX = 256;

    private final @Nullable Executor executor; // null: inline
    private final Consumer<Throwable> uncaught;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    // number of queued and running actions; the thread that raises it from 0 to 1 runs them
    private final AtomicInteger pending = new AtomicInteger();

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
                runQueued(Integer.MAX_VALUE);
            }
            return;
        }
        waiting.add(action);
        if (pending.getAndIncrement() == 0) {
            schedule();
        }
    }

    @Override
    public void close() {
        // nothing to close: this class owns no threads, and queued actions still run
    }

    private void schedule() {
        if (executor == null) {
            runQueued(Integer.MAX_VALUE);
            return;
        }
        try {
            executor.execute(() -> {
                if (!runQueued(BATCH_ACTIONS_MAX)) {
                    schedule();
                }
            });
        } catch (RejectedExecutionException ended) {
            // the RPC environment is closed: the remaining actions run on this thread and refuse their messages
            runQueued(Integer.MAX_VALUE);
        }
    }

    /**
     * Runs queued actions, at most {@code actionsMax}. Returns false if more actions are queued; the caller must then
     * schedule another run.
     */
    private boolean runQueued(int actionsMax) {
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
        } catch (Throwable failure) { // an Error is caught too: it is reported, and the next action runs
            uncaught.accept(failure);
        }
    }
}
