package dev.hearth.engine.internal.executor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs executor cores on daemon threads with the application's class loader. A core gets its thread with its first
 * task; all threads end with the application. Idle threads park, and {@link #wake} unparks one for each new task.
 */
public final class CoreThreads implements Cores {
    private static final Logger LOG = LoggerFactory.getLogger(CoreThreads.class);

    private static final long RETRY_NANOS = 10_000_000; // pause before a report is retried after an out-of-memory error

    private final ClassLoader application;
    private final List<CoreThread> threads = new CopyOnWriteArrayList<>();
    private final Deque<TaskCore> resting; // cores that have no thread yet; owned by the executor's event loop
    private final AtomicInteger made = new AtomicInteger();
    private final ScheduledThreadPoolExecutor timer; // the pool starts its thread with the first action
    private volatile boolean stopped;

    public CoreThreads(ClassLoader application, List<TaskCore> cores) {
        this.application = application;
        this.timer = new ScheduledThreadPoolExecutor(1, body -> {
            Thread thread = new Thread(body, "task-watch");
            thread.setDaemon(true);
            return thread;
        });
        // Actions submitted after the stop are discarded, because they watch tasks and no task is left.
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.resting = new ArrayDeque<>(cores);
    }

    @Override
    public void wake(int tasks) {
        int left = tasks;
        for (CoreThread thread : threads) {
            if (left > 0 && thread.wake()) {
                left--;
            }
        }
        for (; left > 0 && !resting.isEmpty(); left--) {
            add(resting.poll());
        }
    }

    @Override
    public void add(TaskCore core) {
        threads.removeIf(thread -> thread.core.isRetired());
        CoreThread added = new CoreThread(core);
        threads.add(added);
        added.thread.start();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the action itself logs its failures
    public void after(Duration delay, Runnable action) {
        timer.schedule(() -> runSafely(action), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void beside(Runnable action) {
        Thread thread = new Thread(() -> runSafely(action), "task-listeners");
        thread.setDaemon(true);
        thread.setContextClassLoader(application);
        thread.start();
    }

    private static void runSafely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | LinkageError failure) {
            LOG.error("watching tasks", failure);
        }
    }

    @Override
    public void stop() {
        stopped = true;
        timer.shutdown();
        threads.forEach(CoreThread::wake);
    }

    /**
     * Body of a core's thread. It is not a subclass of Thread, because class loaders may retain ended Thread objects.
     * An ended Thread releases its body.
     */
    private final class CoreThread implements Runnable {
        private final TaskCore core;
        private final AtomicBoolean parked = new AtomicBoolean();
        private final Thread thread;

        CoreThread(TaskCore core) {
            this.core = core;
            this.thread = new Thread(this, "task-" + made.getAndIncrement());
            thread.setDaemon(true);
            thread.setContextClassLoader(application);
        }

        @Override
        public void run() {
            while (!stopped && !core.isRetired()) {
                if (runNext()) {
                    thread.setContextClassLoader(application); // the task may have changed the class loader
                } else {
                    park();
                }
            }
        }

        /**
         * Runs the next task of this thread's core; returns false if there is none. A failure is reported and does not
         * end the thread.
         */
        private boolean runNext() {
            try {
                return core.runNext();
            } catch (Throwable failure) {
                report(failure);
                return true; // the next call of core.runNext reports the task as failed
            }
        }

        private void report(Throwable failure) {
            try {
                core.failed(failure);
            } catch (Throwable worse) { // memory is probably exhausted; the next call of runNext retries the report
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }

        /**
         * Parks this thread until its core has work. Sets {@code parked} before the last check for work, so that no
         * wake-up is lost. Another thread that clears {@code parked} must unpark this one.
         */
        private void park() {
            parked.set(true);
            while (parked.get()) {
                if (core.hasWork() || stopped) {
                    parked.set(false);
                } else {
                    LockSupport.park(this);
                    Thread.interrupted(); // clears an interrupt that arrived while no task was running
                }
            }
            core.resumed();
        }

        private boolean wake() {
            if (parked.get() && parked.compareAndSet(true, false)) {
                LockSupport.unpark(thread);
                return true;
            }
            return false;
        }
    }
}
