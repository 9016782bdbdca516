package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.thread.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Thread pool for endpoints that share threads, as opposed to those with a thread or event loop of their own. Threads
 * start lazily and end with the RPC environment. Thread-safe.
 */
final class EndpointThreadPool implements Executor, AutoCloseable {
    private static final int THREADS_MIN = 2;
    private static final int THREADS_MAX = 8;
    private static final long IDLE_SECONDS_MAX = 60;

    private final int threads;
    private @Nullable ThreadPoolExecutor pool; // guarded by this
    private boolean closed; // guarded by this

    /**
     * Creates a pool of {@code threads} threads. With 0, the pool has one thread per core, but at least 2 and at most
     * 8.
     */
    EndpointThreadPool(int threads) {
        this.threads = threads > 0
                ? threads
                : Math.min(
                        THREADS_MAX, Math.max(THREADS_MIN, Runtime.getRuntime().availableProcessors()));
    }

    @Override
    public void execute(Runnable action) {
        pool().execute(action);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (pool != null) {
            pool.shutdown(); // actions submitted earlier still run
        }
    }

    private synchronized ThreadPoolExecutor pool() {
        ThreadPoolExecutor created = pool;
        if (created == null) {
            created = new ThreadPoolExecutor(
                    threads,
                    threads,
                    IDLE_SECONDS_MAX,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    new DaemonThreads("hearth-shared"));
            created.allowCoreThreadTimeOut(true);
            if (closed) {
                created.shutdown();
            }
            pool = created;
        }
        return created;
    }
}
