package dev.hearth.testkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocking code of a simulated process. The code runs on a real thread while the simulation stands still, so the
 * seed still determines all events. While the code blocks in {@link #await}, the simulation continues. If the process
 * ends first, {@link #await} throws. Owned by its simulation; semaphores let only one of the two threads run at a time.
 */
public final class SimulatedThread {
    private static final ThreadLocal<@Nullable SimulatedThread> CURRENT = new ThreadLocal<>();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "simulated");
        thread.setDaemon(true);
        return thread;
    });

    private final SimulatedProcess process;
    private final Runnable body;
    private final Semaphore turn = new Semaphore(0); // released when the blocking code may run
    private final Semaphore back = new Semaphore(0); // released when the simulation may run
    private @Nullable Thread thread; // null until it has started
    private @Nullable Throwable failure;
    private boolean ended;

    private SimulatedThread(SimulatedProcess process, Runnable body) {
        this.process = process;
        this.body = body;
    }

    /**
     * Thrown in a thread blocked in {@link #await} whose simulated process has ended, so that its code does not
     * continue.
     */
    private static final class ProcessEnded extends Error {
        private static final long serialVersionUID = 1;

        ProcessEnded(String process) {
            super(process + " has ended (expected: none of its threads continues)", null, false, false);
        }
    }

    /**
     * Runs {@code body}, code of {@code process}, until it ends or blocks in {@link #await}. To be called by an event
     * of the simulation.
     */
    public static void run(SimulatedProcess process, Runnable body) {
        SimulatedThread created = new SimulatedThread(process, body);
        created.start();
        if (!created.ended) {
            process.onCrash(created::switchToBody);
        }
    }

    /**
     * Blocks until {@code answer} has completed or failed, while the simulation continues. Only code started by
     * {@link #run} may call it.
     */
    public static void await(CompletableFuture<?> answer) {
        SimulatedThread current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName()
                    + ": waits in a simulation (expected: one that the simulation began)");
        }
        current.pause(answer);
    }

    /** Runs the code on a thread of its own until it blocks or ends. */
    private void start() {
        Thread before = Thread.currentThread();
        THREADS.execute(this::begin);
        resume(before);
    }

    private void begin() {
        Thread own = Thread.currentThread();
        thread = own;
        process.simulation().switchTo(own); // the thread before waits
        Thread.interrupted(); // clears an interrupt that is still pending
        CURRENT.set(this);
        try {
            body.run();
        } catch (ProcessEnded end) {
            process.simulation().note(process.name() + " ended while a thread of it waited");
        } catch (Throwable thrown) { // errors too: rethrown in the simulation's thread
            failure = thrown;
        } finally {
            CURRENT.remove();
            ended = true;
            back.release();
        }
    }

    private void pause(CompletableFuture<?> answer) {
        if (!answer.isDone() && process.alive()) {
            CompletionStage<?> ending = answer;
            ending.whenComplete((value, thrown) -> process.schedule(Duration.ZERO, this::switchToBody));
            back.release();
            turn.acquireUninterruptibly();
        }
        if (!process.alive()) {
            throw new ProcessEnded(process.name());
        }
    }

    /**
     * Lets the thread of the blocking code run, while the simulation waits, until that code blocks again or ends. Does
     * nothing if it has ended.
     */
    private void switchToBody() {
        Thread own = thread;
        if (ended || own == null) {
            return;
        }
        Thread before = process.simulation().switchTo(own);
        turn.release();
        resume(before);
    }

    /** Waits until the blocking code has blocked or ended, and lets the simulation go on in the thread {@code before}. */
    private void resume(Thread before) {
        back.acquireUninterruptibly();
        process.simulation().switchTo(before);
        Throwable thrown = failure;
        if (thrown != null) {
            throw new IllegalStateException(process.name() + ": a thread of it threw " + thrown, thrown);
        }
    }
}
