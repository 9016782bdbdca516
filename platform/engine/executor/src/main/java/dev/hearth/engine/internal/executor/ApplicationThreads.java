package dev.hearth.engine.internal.executor;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Thread pool of one application for user code that runs outside tasks, such as callbacks of asynchronous jobs. Threads
 * start on demand, stop when idle, and end with the application. Any thread may call.
 */
public final class ApplicationThreads implements Executor {
    private static final int IDLE_SECONDS_MAX = 10;

    private final Executor running;
    private final Runnable ending;

    public ApplicationThreads(String name, ClassLoader application, int threadsMax) {
        AtomicInteger made = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threadsMax, threadsMax, IDLE_SECONDS_MAX, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> {
                    Thread thread = new Thread(body, name + "-" + made.getAndIncrement());
                    thread.setDaemon(true);
                    thread.setContextClassLoader(application);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        // A task submitted after shutdown is not rejected. It runs on a new thread and notices that the context is
        // closed.
        pool.setRejectedExecutionHandler(
                (body, stopped) -> stopped.getThreadFactory().newThread(body).start());
        this.running = pool;
        this.ending = pool::shutdown;
    }

    /** Creates a pool for simulations. It has no threads: the executor {@code others} runs every action. */
    public ApplicationThreads(Executor others) {
        this.running = others;
        this.ending = () -> {};
    }

    @Override
    public void execute(Runnable body) {
        running.execute(body);
    }

    public void stop() {
        ending.run();
    }
}
