package dev.hearth.spi.loop;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The owner of mutable state: runs one action at a time, in the order given, never inside another action.
 * <p>Actions must not block. {@link #execute} and {@link #schedule} may be called from any thread; after {@link #close}
 * they do nothing but tell {@link Droppable} actions. A simulated loop runs on virtual time and has no thread.
 */
@ProviderType
public interface EventLoop extends Executor, AutoCloseable {
    Ticker ticker();

    /** Whether the calling code runs as an action of this loop. */
    boolean inLoop();

    /** Refuses callers that do not run as an action of this loop. */
    default void requireInLoop() {
        if (!inLoop()) {
            throw new IllegalStateException(
                    "called from " + Thread.currentThread().getName() + " (expected: " + this + ")");
        }
    }

    @Override
    void execute(Runnable action);

    /**
     * Runs {@code action} now when called by an action of this loop, else as {@link #execute} does. For what follows a
     * stage: whether it completed before or after it was asked, {@code action} runs before anything that came later.
     */
    default void inOrder(Runnable action) {
        if (inLoop()) {
            action.run();
        } else {
            execute(action);
        }
    }

    /**
     * As {@link #execute}, but the calling thread itself runs what waits while nobody else does, which saves waking another
     * one. For threads of ours that have nothing on their stack but what is ours; for a bounded number of actions.
     */
    default void executeHere(Runnable action) {
        execute(action);
    }

    /** Runs {@code action} after {@code delay}, unless it is cancelled or the loop is closed before. */
    Timeout schedule(Duration delay, Runnable action);

    /** Drops what has not started and accepts nothing more; an action under way ends. Does not wait. */
    @Override
    void close();

    /** An action of {@link #execute} that has to know when it will never run. */
    interface Droppable extends Runnable {
        /** Called once instead of {@link #run} when the loop was closed before; on any thread. Must not block. */
        void dropped();
    }

    /** A scheduled action that can be taken back. */
    @FunctionalInterface
    interface Timeout {
        void cancel();
    }
}
