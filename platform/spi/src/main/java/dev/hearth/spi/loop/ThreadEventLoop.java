package dev.hearth.spi.loop;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Event loop with a daemon thread. While that thread is idle, other threads may run the queued actions in its place.
 * <p>One thread at a time is the {@code owner} and runs actions and timers: the loop's thread, or a caller of
 * {@link #executeHere}. An exception in an action is reported and the loop continues, so that one failed action does
 * not stop all others. No wake-up is lost: a producer checks for an owner after it enqueues, and an owner checks the
 * queue after it gives up ownership.
 */
public final class ThreadEventLoop implements EventLoop {
    private static final int HELPED_ACTIONS_MAX = 256; // after this many actions, the loop's own thread continues
    private static final int CANCELLED_TIMERS_MIN = 64; // with fewer, a sweep of the timer queue is not worthwhile

    private final String name;
    private final Ticker ticker;
    private final Consumer<Throwable> uncaught;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(); // accessed by the owner only
    // number of cancelled timers that are still in the queue or about to be added to it
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger unreported = new AtomicInteger(); // failures that could not be reported
    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();
    private final Thread thread;
    private long timersMade; // accessed by the owner only
    private volatile boolean parked; // stays true after the thread has ended
    private volatile boolean waitsForOwner; // the loop's own thread waits to become the owner
    private volatile boolean closed;

    /**
     * Starts the loop with a thread named {@code name}. {@code uncaught} receives the exceptions that actions throw.
     */
    public ThreadEventLoop(String name, Consumer<Throwable> uncaught) {
        this.name = name;
        this.ticker = Ticker.system();
        this.uncaught = uncaught;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public Ticker ticker() {
        return ticker;
    }

    @Override
    public boolean inLoop() {
        return owner.get() == Thread.currentThread();
    }

    @Override
    public void execute(Runnable action) {
        if (closed) {
            drop(action);
            return;
        }
        inbox.add(action);
        if (owner.get() == null) {
            wake();
        }
    }

    @Override
    public void executeHere(Runnable action) {
        if (closed) {
            drop(action);
            return;
        }
        inbox.add(action);
        Thread caller = Thread.currentThread();
        if (caller == thread || !owner.compareAndSet(null, caller)) {
            if (owner.get() == null) { // the owner gave up between the two checks
                wake();
            }
            return;
        }
        // the interrupt is meant for the caller's own work, not for these actions
        boolean interrupted = Thread.interrupted();
        ClassLoader before = caller.getContextClassLoader();
        caller.setContextClassLoader(thread.getContextClassLoader());
        int left = HELPED_ACTIONS_MAX;
        for (Runnable next = next(); next != null; next = --left > 0 ? next() : null) {
            runOne(next);
        }
        resign();
        caller.setContextClassLoader(before);
        if (interrupted) {
            caller.interrupt();
        }
    }

    @Override
    public Timeout schedule(Duration delay, Runnable action) {
        Timer timer = new Timer(ticker.nanos() + Math.max(0, delay.toNanos()), action, cancelled);
        if (inLoop()) {
            add(timer);
        } else {
            execute(() -> add(timer));
        }
        return timer;
    }

    @Override
    public void close() {
        closed = true;
        wake();
    }

    /**
     * Waits at most {@code bound} for the end of the loop's thread, and returns whether it has ended. Used at shutdown;
     * an action must not call this method, because it would wait for itself.
     */
    public boolean awaitEnd(Duration bound) throws InterruptedException {
        thread.join(Math.max(1, bound.toMillis()));
        return !thread.isAlive();
    }

    @Override
    public String toString() {
        int lost = unreported.get();
        return "event loop " + name + (lost == 0 ? "" : ", " + lost + " unreported failures");
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
            if (closed) {
                dropInbox(); // the thread may have ended after its last check of the queue
            }
        }
    }

    /**
     * Number of timers that have not run yet, cancelled ones included. Only the thread that owns the loop now may call.
     */
    int timers() {
        return timers.size();
    }

    private void add(Timer timer) {
        int gone = cancelled.get();
        // without this removal, cancelled timers with long delays would accumulate
        if (gone > CANCELLED_TIMERS_MIN && gone > timers.size() / 2) {
            int before = timers.size();
            timers.removeIf(Timer::isCancelled);
            cancelled.addAndGet(timers.size() - before);
        }
        timer.order = timersMade++;
        timers.add(timer);
        if (timers.peek() == timer && Thread.currentThread() != thread) {
            LockSupport.unpark(thread); // the thread is parked until the time of a later timer
        }
    }

    private void run() {
        while (!closed) {
            becomeOwner();
            boolean worked = runDueTimers();
            for (Runnable action = next(); action != null; action = next()) {
                runOne(action);
                worked = true;
            }
            Timer next = timers.peek();
            resign();
            if (!worked) {
                park(next);
            }
        }
        becomeOwner();
        timers.clear();
        resign();
        parked = true; // set before the last check, so that a thread that enqueues later drops its action itself
        dropInbox();
    }

    /** Waits until the current owner gives up ownership, and makes the loop's own thread the owner. */
    private void becomeOwner() {
        waitsForOwner = true;
        while (!owner.compareAndSet(null, thread)) {
            LockSupport.park(this);
            Thread.interrupted(); // an interrupt has no meaning for this thread and would keep it from parking
        }
        waitsForOwner = false;
    }

    /** Gives up ownership and wakes the loop's own thread if actions were queued in the meantime. */
    private void resign() {
        owner.set(null);
        if (Thread.currentThread() != thread && (waitsForOwner || closed || !inbox.isEmpty())) {
            LockSupport.unpark(thread);
        }
    }

    private @Nullable Runnable next() {
        return closed ? null : inbox.poll();
    }

    private void dropInbox() {
        for (Runnable action = inbox.poll(); action != null; action = inbox.poll()) {
            drop(action);
        }
    }

    private void drop(Runnable action) {
        if (action instanceof Droppable droppable) {
            runOne(droppable::dropped);
        }
    }

    private boolean runDueTimers() {
        boolean worked = false;
        long now = ticker.nanos();
        for (Timer next = timers.peek(); next != null && next.atNanos - now <= 0 && !closed; next = timers.peek()) {
            timers.poll();
            Runnable action = next.action.getAndSet(null);
            if (action == null) {
                cancelled.decrementAndGet();
            } else {
                runOne(action);
                worked = true;
            }
        }
        return worked;
    }

    /**
     * Parks the loop's thread until it is woken or until {@code next}, the next timer, is due. Sets {@code parked}
     * before the last check of the queue, so no wake-up is lost.
     */
    private void park(@Nullable Timer next) {
        parked = true;
        if (inbox.isEmpty() && !closed) {
            if (next == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, next.atNanos - ticker.nanos());
            }
        }
        parked = false;
        Thread.interrupted(); // as in becomeOwner
    }

    private void runOne(Runnable action) {
        try {
            action.run();
        } catch (Throwable failure) { // errors are caught too: they are reported, and the next action runs
            report(failure);
        }
    }

    /**
     * Reports the failure of an action. The report itself may fail, for example when memory is exhausted; the loop must
     * survive that.
     */
    private void report(Throwable failure) {
        try {
            uncaught.accept(failure);
        } catch (Throwable worse) {
            unreported.incrementAndGet();
        }
    }

    private static final class Timer implements Timeout, Comparable<Timer> {
        private final long atNanos;
        private final AtomicReference<@Nullable Runnable> action; // null once it has run or was cancelled
        private final AtomicInteger cancelled;
        private long order;

        Timer(long atNanos, Runnable action, AtomicInteger cancelled) {
            this.atNanos = atNanos;
            this.action = new AtomicReference<>(action);
            this.cancelled = cancelled;
        }

        @Override
        public void cancel() {
            if (action.getAndSet(null) != null) {
                cancelled.incrementAndGet();
            }
        }

        boolean isCancelled() {
            return action.get() == null;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(atNanos - other.atNanos, 0);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
