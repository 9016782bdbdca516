package dev.hearth.engine.internal.executor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One daemon thread per core, with the application's class loader; the threads end with the application. */
public final class PooledTaskThreads implements TaskThreads {
    private final ExecutorService pool;
    private final Map<Long, Attempt> attempts = new ConcurrentHashMap<>();

    public PooledTaskThreads(ClassLoader application, int cores) {
        AtomicInteger made = new AtomicInteger();
        this.pool = Executors.newFixedThreadPool(cores, body -> {
            Thread thread = new Thread(body, "task-" + made.getAndIncrement());
            thread.setDaemon(true);
            thread.setContextClassLoader(application);
            return thread;
        });
    }

    @Override
    public void start(long task, Runnable body) {
        Attempt attempt = new Attempt();
        attempts.put(task, attempt);
        pool.execute(() -> {
            attempt.begin();
            try {
                body.run();
            } finally {
                attempts.remove(task);
                attempt.end();
            }
        });
    }

    @Override
    public void interrupt(long task) {
        Attempt attempt = attempts.get(task);
        if (attempt != null) {
            attempt.interrupt();
        }
    }

    @Override
    public void stop() {
        pool.shutdownNow();
    }

    /** Which thread a task has, so that an interrupt meets that task and no later one on the same thread. */
    private static final class Attempt {
        private @Nullable Thread thread;
        private boolean interrupted;

        synchronized void begin() {
            thread = Thread.currentThread();
            if (interrupted) {
                thread.interrupt();
            }
        }

        synchronized void interrupt() {
            interrupted = true;
            if (thread != null) {
                thread.interrupt();
            }
        }

        synchronized void end() {
            thread = null;
            interrupted = Thread.interrupted() && interrupted; // clears the thread for its next task
        }
    }
}
