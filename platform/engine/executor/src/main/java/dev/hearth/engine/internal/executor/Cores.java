package dev.hearth.engine.internal.executor;

import java.time.Duration;
import java.util.List;

/** Runs the cores of an executor: on threads, or in virtual time in a simulation. */
public interface Cores {
    /** Wakes as many idle cores as there are new tasks. Called by the executor's loop. */
    void wake(int tasks);

    /** Starts a core that replaces a lost one. Any thread may call. */
    void add(TaskCore core);

    /** Runs {@code action}, which must not block, after {@code delay}. Any thread may call. */
    void after(Duration delay, Runnable action);

    /** Runs {@code action}, application code that may block, on a thread that is no core. Any thread may call. */
    default void beside(Runnable action) {
        after(Duration.ZERO, action);
    }

    /** Starts no more tasks. The caller has killed the running ones. */
    void stop();

    /** Starts the cores of one executor, once its class loader exists. */
    @FunctionalInterface
    interface Factory {
        Cores start(ClassLoader application, List<TaskCore> cores);
    }
}
