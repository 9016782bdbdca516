package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads on which a worker starts processes, one for each start under way, so that a disk that hangs delays no other
 * start. Threads end when they were idle for a minute. Any thread may call.
 */
final class StartThreads implements Executor, AutoCloseable {
    /** Number of starts under way; more can be only if a disk hangs for long. */
    private static final int STARTS_MAX = 256;

    private static final int IDLE_SECONDS = 60;

    private final ExecutorService threads = new ThreadPoolExecutor(
            0, STARTS_MAX, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), StartThreads::thread);

    private static Thread thread(Runnable action) {
        Thread thread = new Thread(null, action, "worker-start", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable start) {
        try {
            threads.execute(start);
        } catch (RejectedExecutionException full) {
            throw ErrorCode.START_FAILED.failure(
                    "process: not started, because " + STARTS_MAX
                            + " other starts hang or this worker ends (expected: a disk that answers)",
                    full);
        }
    }

    /** Lets starts that are under way finish, without waiting for them, and takes no more. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
