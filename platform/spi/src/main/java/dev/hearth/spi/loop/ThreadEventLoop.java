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
 * An event loop on a daemon thread of its own, which others may stand in for while it rests.
 * <p>One thread at a time is the {@code owner} and runs actions: the loop's own, or one that came with {@link #executeHere};
 * timers belong to the owner. An action that throws is reported and the loop goes on: one bad message must not end the owner
 * of everything else. No wake-up is lost: whoever appends looks for an owner afterwards, and whoever stops being the owner looks
 * for appended actions afterwards.
 */
public final class ThreadEventLoop implements EventLoop {
    private static final int HELPED_ACTIONS_MAX = 256; // then the loop's own thread goes on
    private static final int CANCELLED_TIMERS_MIN = 64; // fewer are not worth a look at all of them

    private final String name;
    private final Ticker ticker;
    private final Consumer<Throwable> uncaught;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(); // the owner's
    private final AtomicInteger cancelled = new AtomicInteger(); // of the timers that wait, or will
    private final AtomicInteger untold = new AtomicInteger(); // failures that could not even be reported
    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();
    private final Thread thread;
    private long timersMade; // the owner's
    private volatile boolean parked; // once the thread has ended, for good
    private volatile boolean waitsForOwner; // the loop's own thread wants to be the owner
    private volatile boolean closed;

    /** Starts the loop; {@code uncaught} is told what actions throw. */
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
            if (owner.get() == null) { // it went between the two looks
                wake();
            }
            return;
        }
        boolean interrupted = Thread.interrupted(); // meant for what the caller does, not for these
        ClassLoader before = caller.getContextClassLoader();
        caller.setContextClassLoader(thread.getContextClassLoader());
        int left = HELPED_ACTIONS_MAX;
        for (Runnable next = next(); next != null; next = --left > 0 ? next() : null) {
            runOne(next);
        }
        disown();
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

    /** Waits until the thread has ended; for shutting down, never from an action. */
    public boolean awaitEnd(Duration bound) throws InterruptedException {
        thread.join(Math.max(1, bound.toMillis()));
        return !thread.isAlive();
    }

    @Override
    public String toString() {
        int lost = untold.get();
        return "event loop " + name + (lost == 0 ? "" : ", " + lost + " failures untold");
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
            if (closed) {
                dropInbox(); // the thread may have ended, and then has looked for the last time
            }
        }
    }

    /** How many wait, taken back or not; for its owner. */
    int timers() {
        return timers.size();
    }

    private void add(Timer timer) {
        int gone = cancelled.get();
        if (gone > CANCELLED_TIMERS_MIN && gone > timers.size() / 2) { // else those set for a far day would pile up
            int before = timers.size();
            timers.removeIf(Timer::isCancelled);
            cancelled.addAndGet(timers.size() - before);
        }
        timer.order = timersMade++;
        timers.add(timer);
        if (timers.peek() == timer && Thread.currentThread() != thread) {
            LockSupport.unpark(thread); // it rests until a later time
        }
    }

    private void run() {
        while (!closed) {
            own();
            boolean worked = runDueTimers();
            for (Runnable action = next(); action != null; action = next()) {
                runOne(action);
                worked = true;
            }
            Timer next = timers.peek();
            disown();
            if (!worked) {
                park(next);
            }
        }
        own();
        timers.clear();
        disown();
        parked = true; // raised before the last look: whoever adds behind it drops what he added
        dropInbox();
    }

    /** Becomes the owner, after whoever is. */
    private void own() {
        waitsForOwner = true;
        while (!owner.compareAndSet(null, thread)) {
            LockSupport.park(this);
            Thread.interrupted(); // means nobody here, and would keep it from parking
        }
        waitsForOwner = false;
    }

    /** Stops being the owner. What was appended meanwhile is looked for by the loop's own thread. */
    private void disown() {
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
        if (action instanceof Droppable told) {
            runOne(told::dropped);
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

    /** Parks until woken or the next timer; {@code parked} is raised before the last look, so no wake-up is lost. */
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
        Thread.interrupted(); // as in own
    }

    private void runOne(Runnable action) {
        try {
            action.run();
        } catch (Throwable failure) { // an Error too: it is reported, and the owner's other state stays served
            tell(failure);
        }
    }

    /** Whoever is told may be out of memory as well: the loop must not end with an owner that is gone. */
    private void tell(Throwable failure) {
        try {
            uncaught.accept(failure);
        } catch (Throwable worse) {
            untold.incrementAndGet();
        }
    }

    private static final class Timer implements Timeout, Comparable<Timer> {
        private final long atNanos;
        private final AtomicReference<@Nullable Runnable> action; // null once it ran or was taken back
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
