package dev.hearth.testkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocking code of a simulated process. The simulation stands still while the code runs, so the seed still determines
 * all events. While the code blocks in {@link #await}, the simulation continues on another thread. If the process ends
 * first, {@link #await} throws. Owned by its simulation; semaphores let only one thread run at a time.
 */
public final class SimulatedThread {
    private static final ThreadLocal<@Nullable SimulatedThread> CURRENT = new ThreadLocal<>();

    private final SimulatedProcess process;
    private final Runnable body;
    private final Semaphore turn = new Semaphore(0); // released when the blocked code may go on
    private final Semaphore unwound = new Semaphore(0); // released when code has ended with its process
    private @Nullable Thread thread; // null until it has begun
    private @Nullable Throwable failure;
    private boolean isWatched; // is told about the end of its process
    private boolean blocks;
    private boolean unwinds; // because its process has ended
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
     * Runs {@code body}, code of {@code process}, at the end of the present event, until it ends or blocks in {@link
     * #await}. To be called by an event of the simulation.
     */
    public static void run(SimulatedProcess process, Runnable body) {
        process.simulation().drive().add(new SimulatedThread(process, body));
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

    /**
     * Begins or resumes the code. Called by the thread that runs the events of the simulation; returns whether that one still
     * does.
     */
    boolean proceed() {
        Thread own = thread;
        if (own == null) {
            return begin();
        }
        if (!blocks || ended) {
            return true; // its process has ended meanwhile
        }
        process.simulation().switchTo(own);
        turn.release();
        return false;
    }

    private boolean begin() {
        thread = Thread.currentThread();
        Thread.interrupted(); // clears an interrupt that is still pending
        CURRENT.set(this);
        try {
            body.run();
        } catch (ProcessEnded end) {
            process.simulation().note(process.name() + " ended while a thread of it waited");
        } catch (Throwable thrown) { // errors too: rethrown in the simulation
            failure = thrown;
        } finally {
            CURRENT.remove();
            ended = true;
        }
        Thread.interrupted(); // was for this code
        if (unwinds) {
            unwound.release();
            return false;
        }
        if (failure != null) {
            IllegalStateException thrown = thrown(failure);
            throw process.simulation().failure("an event threw " + thrown, thrown);
        }
        return true;
    }

    private void pause(CompletableFuture<?> answer) {
        if (!answer.isDone() && process.alive()) {
            SimulatedDrive drive = process.simulation().drive();
            CompletionStage<?> ending = answer;
            ending.whenComplete((value, thrown) -> process.schedule(Duration.ZERO, () -> drive.add(this)));
            if (!isWatched) {
                isWatched = true;
                process.onCrash(this::unwind);
            }
            blocks = true;
            drive.continueElsewhere();
            turn.acquireUninterruptibly();
            blocks = false;
        }
        if (!process.alive()) {
            throw new ProcessEnded(process.name());
        }
    }

    /** Lets the blocked code end, because its process has, and waits for that. */
    private void unwind() {
        Thread own = thread;
        if (!blocks || own == null) {
            return;
        }
        unwinds = true;
        Thread before = process.simulation().switchTo(own);
        turn.release();
        unwound.acquireUninterruptibly();
        process.simulation().switchTo(before);
        if (failure != null) {
            throw thrown(failure);
        }
    }

    private IllegalStateException thrown(Throwable cause) {
        return new IllegalStateException(process.name() + ": a thread of it threw " + cause, cause);
    }
}
