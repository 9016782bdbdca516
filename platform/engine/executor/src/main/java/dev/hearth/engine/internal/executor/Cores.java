package dev.hearth.engine.internal.executor;

import java.time.Duration;
import java.util.List;

/** Runs the cores of an executor, either on threads or, in a simulation, in virtual time. */
public interface Cores {
    /** Wakes one idle core for each new task. Called on the executor's event loop. */
    void wake(int tasks);

    /** Starts a core that replaces the core of an abandoned attempt. Any thread may call. */
    void add(TaskCore core);

    /** Runs {@code action}, which must not block, after {@code delay}. Any thread may call. */
    void after(Duration delay, Runnable action);

    /**
     * Runs {@code action} on a thread that is not a core. The action is application code and may block. Any thread may
     * call.
     */
    default void beside(Runnable action) {
        after(Duration.ZERO, action);
    }

    /** Prevents further tasks from starting. The caller has already killed the running tasks. */
    void stop();

    /** Creates the cores of one executor. Called once the executor's class loader exists. */
    @FunctionalInterface
    interface Factory {
        Cores start(ClassLoader application, List<TaskCore> cores);
    }
}
