package dev.hearth.engine.internal.executor;

import java.time.Duration;
import java.util.List;

/** Runs the cores of an executor, either on threads or, in a simulation, in virtual time. */
public interface Cores {
    /** Wakes up to {@code tasks} idle cores, one for each new task. Called on the executor's event loop. */
    void wake(int tasks);

    /**
     * Starts the thread of {@code core}, which replaces the core of an attempt that was abandoned because it did not
     * end. Any thread may call.
     */
    void add(TaskCore core);

    /** Runs {@code action}, which must not block, after {@code delay}. Any thread may call. */
    void after(Duration delay, Runnable action);

    /**
     * Runs {@code action}, application code that may block, on a thread that is not one of the cores. Any thread may
     * call.
     */
    default void beside(Runnable action) {
        after(Duration.ZERO, action);
    }

    /**
     * Prevents further tasks from starting, because the executor stops. The caller has already killed the running
     * tasks.
     */
    void stop();

    /**
     * Creates the {@link Cores} of one executor, and starts their threads if needed. Called once, when {@code
     * application}, the class loader of the application's code, exists.
     */
    @FunctionalInterface
    interface Factory {
        Cores start(ClassLoader application, List<TaskCore> cores);
    }
}
