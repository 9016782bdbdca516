package dev.hearth.spi.loop;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event loop on a daemon thread of its own.
 * <p>Any thread appends to the inbox and wakes the thread when it is parked; timers belong to the thread. An action that
 * throws is reported and the loop goes on: one bad message must not end the owner of everything else.
 */
public final class ThreadEventLoop implements EventLoop {
    private final String name;
    private final Ticker ticker;
    private final Consumer<Throwable> uncaught;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(); // owned by the thread
    private final Thread thread;
    private long timersMade; // owned by the thread
    private volatile boolean parked; // once the thread has ended, for good
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
        return Thread.currentThread() == thread;
    }

    @Override
    public void execute(Runnable action) {
        if (closed) {
            drop(action);
            return;
        }
        inbox.add(action);
        wake();
    }

    @Override
    public Timeout schedule(Duration delay, Runnable action) {
        Timer timer = new Timer(ticker.nanos() + Math.max(0, delay.toNanos()), action);
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
        return "event loop " + name;
    }

    private void wake() {
        if (parked) {
            LockSupport.unpark(thread);
            if (closed) {
                dropInbox(); // the thread may have ended, and then has looked for the last time
            }
        }
    }

    private void add(Timer timer) {
        timer.order = timersMade++;
        timers.add(timer);
    }

    private void run() {
        while (!closed) {
            boolean worked = runDueTimers();
            for (Runnable action = next(); action != null; action = next()) {
                runOne(action);
                worked = true;
            }
            if (!worked) {
                park();
            }
        }
        parked = true; // raised before the last look: whoever adds behind it drops what he added
        dropInbox();
        timers.clear();
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
            Runnable action = next.action;
            if (action != null) {
                runOne(action);
                worked = true;
            }
        }
        return worked;
    }

    /** Parks until woken or the next timer; {@code parked} is raised before the last look, so no wake-up is lost. */
    private void park() {
        parked = true;
        if (inbox.isEmpty() && !closed) {
            Timer next = timers.peek();
            if (next == null) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, next.atNanos - ticker.nanos());
            }
        }
        parked = false;
    }

    private void runOne(Runnable action) {
        try {
            action.run();
        } catch (Throwable failure) { // an Error too: it is reported, and the owner's other state stays served
            uncaught.accept(failure);
        }
    }

    private static final class Timer implements Timeout, Comparable<Timer> {
        private final long atNanos;
        private long order;
        private volatile @Nullable Runnable action; // null once cancelled, so that what it holds can go

        Timer(long atNanos, Runnable action) {
            this.atNanos = atNanos;
            this.action = action;
        }

        @Override
        public void cancel() {
            action = null;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(atNanos - other.atNanos, 0);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
