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
 * One daemon thread per core, from its first task on, with the application's class loader; the threads end with the
 * application. Idle threads park; whoever brings work unparks as many as it has tasks.
 */
public final class CoreThreads implements Cores {
    private static final Logger LOG = LoggerFactory.getLogger(CoreThreads.class);

    private static final long RETRY_NANOS = 10_000_000; // where memory is short

    private final ClassLoader application;
    private final List<CoreThread> threads = new CopyOnWriteArrayList<>();
    private final Deque<TaskCore> resting; // of cores that had nothing to do so far; the owner's
    private final AtomicInteger made = new AtomicInteger();
    private final ScheduledThreadPoolExecutor timer; // has no thread until it is asked for the first time
    private volatile boolean stopped;

    public CoreThreads(ClassLoader application, List<TaskCore> cores) {
        this.application = application;
        this.timer = new ScheduledThreadPoolExecutor(1, body -> {
            Thread thread = new Thread(body, "task-watch");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRejectedExecutionHandler(
                new ThreadPoolExecutor.DiscardPolicy()); // stopped: nothing is left to look after
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
    @SuppressWarnings("FutureReturnValueIgnored") // failures are logged by the action itself
    public void after(Duration delay, Runnable action) {
        timer.schedule(() -> runSafely(action), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void runSafely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | LinkageError failure) {
            LOG.error("looking after tasks", failure);
        }
    }

    @Override
    public void stop() {
        stopped = true;
        timer.shutdown();
        threads.forEach(CoreThread::wake);
    }

    /** What a thread runs, and not itself a thread: class loaders may keep those, and what they run is forgotten at their end. */
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
                    thread.setContextClassLoader(application); // whatever the task has made of it
                } else {
                    park();
                }
            }
        }

        /** Whatever goes wrong, the core stays. */
        private boolean runNext() {
            try {
                return core.runNext();
            } catch (Throwable failure) {
                tell(failure);
                return true; // the next call tells of the task that was taken
            }
        }

        private void tell(Throwable failure) {
            try {
                core.failed(failure);
            } catch (Throwable worse) { // not even this can be told: there is no memory, and soon the next try
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }

        /** {@code parked} is raised before the last look, so no wake-up is lost; whoever lowers it has woken this thread. */
        private void park() {
            parked.set(true);
            while (parked.get()) {
                if (core.hasWork() || stopped) {
                    parked.set(false);
                } else {
                    LockSupport.park(this);
                    Thread.interrupted(); // an interrupt while idle means nobody
                }
            }
            core.awoke();
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
