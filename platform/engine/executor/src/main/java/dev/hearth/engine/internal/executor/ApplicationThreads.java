package dev.hearth.engine.internal.executor;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads of one application for its own code beside tasks: answers of jobs nobody waits for, what users gather with. Made when
 * first needed; an idle one ends, and all end with the application.
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
        pool.setRejectedExecutionHandler((body, stopped) -> stopped.getThreadFactory()
                .newThread(body)
                .start()); // what comes after the end is told of it, never by us
        this.running = pool;
        this.ending = pool::shutdown;
    }

    /** None of its own: all runs on {@code others}, as in a simulation. */
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
