package dev.hearth.spi.loop;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Owner of mutable state: runs one action at a time, in submission order, never one inside another.
 * <p>Actions must not block. Any thread may call {@link #execute} and {@link #schedule}. After {@link #close} both
 * methods discard the action, and notify it if it is {@link Droppable}. A simulated loop runs on virtual time without a
 * thread.
 */
@ProviderType
public interface EventLoop extends Executor, AutoCloseable {
    Ticker ticker();

    /** Whether the caller runs inside an action of this loop. */
    boolean inLoop();

    /** Throws an exception unless the caller runs inside an action of this loop. */
    default void requireInLoop() {
        if (!inLoop()) {
            throw new IllegalStateException(
                    "called from " + Thread.currentThread().getName() + " (expected: " + this + ")");
        }
    }

    @Override
    void execute(Runnable action);

    /**
     * Runs {@code action} immediately, as part of the calling action, if the caller is an action of this loop.
     * Otherwise queues it like {@link #execute}. Use this method for callbacks of completion stages: {@code action}
     * then runs before all events that arrive later, whether or not the stage was already complete.
     */
    default void inOrder(Runnable action) {
        if (inLoop()) {
            action.run();
        } else {
            execute(action);
        }
    }

    /**
     * Queues {@code action} like {@link #execute}. If the loop is idle, however, the calling thread runs the queued
     * actions itself, which saves a thread switch. Call it only on platform threads that hold no locks and run no user
     * code. One call runs a bounded number of actions.
     */
    default void executeHere(Runnable action) {
        execute(action);
    }

    /** Runs {@code action} after {@code delay}, unless it is cancelled or the loop is closed first. */
    Timeout schedule(Duration delay, Runnable action);

    /**
     * Closes the loop: queued actions are discarded, and later ones are not accepted. A running action finishes, but
     * this method does not wait for it.
     */
    @Override
    void close();

    /** Action that is notified if it will never run, because the loop is closed before its turn. */
    interface Droppable extends Runnable {
        /**
         * Called once, on any thread, instead of {@link #run}, if the loop is closed before the action has run. Must
         * not block.
         */
        void dropped();
    }

    /** Handle of a scheduled action, with which the action can be cancelled. */
    @FunctionalInterface
    interface Timeout {
        void cancel();
    }
}
