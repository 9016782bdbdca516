package dev.hearth.rpc.internal.http;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handlers run on: few, bounded in what waits for them, gone when idle. Requests are turned away when too
 * many wait; what follows from a request that was taken is not, and there is one such per connection. Any thread may call.
 */
final class HandlerPool implements AutoCloseable {
    static final int THREADS_MAX = 8;
    static final int REQUESTS_WAITING_MAX = 256;
    private static final long IDLE_SECONDS = 30;

    private final Executor threads;
    private final Runnable end;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Runs on {@code threads}; {@code end} ends them. */
    HandlerPool(Executor threads, Runnable end) {
        this.threads = threads;
        this.end = end;
    }

    /** Starts with no thread at all. */
    static HandlerPool ofThreads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS_MAX,
                THREADS_MAX,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory("hearth-http", true));
        threads.allowCoreThreadTimeOut(true);
        return new HandlerPool(threads, threads::shutdown);
    }

    /** Runs the handling of a request; false when too many wait already. */
    boolean offer(Runnable handling) {
        if (waiting.incrementAndGet() > REQUESTS_WAITING_MAX) {
            waiting.decrementAndGet();
            return false;
        }
        try {
            threads.execute(() -> {
                waiting.decrementAndGet();
                handling.run();
            });
            return true;
        } catch (RejectedExecutionException closed) {
            waiting.decrementAndGet();
            return false;
        }
    }

    /** Runs what follows from a request that was taken; on the calling thread once the pool is closed. */
    void follow(Runnable action) {
        try {
            threads.execute(action);
        } catch (RejectedExecutionException closed) {
            action.run();
        }
    }

    int waiting() {
        return waiting.get();
    }

    /** Takes no more requests; those that wait still run. */
    @Override
    public void close() {
        end.run();
    }
}
