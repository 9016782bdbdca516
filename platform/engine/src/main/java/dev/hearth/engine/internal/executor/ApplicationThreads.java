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

    private final ThreadPoolExecutor pool;

    public ApplicationThreads(String name, ClassLoader application, int threadsMax) {
        AtomicInteger made = new AtomicInteger();
        this.pool = new ThreadPoolExecutor(
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
    }

    @Override
    public void execute(Runnable body) {
        pool.execute(body);
    }

    public void stop() {
        pool.shutdown();
    }
}
