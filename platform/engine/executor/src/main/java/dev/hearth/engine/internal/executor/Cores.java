package dev.hearth.engine.internal.executor;

import java.time.Duration;
import java.util.List;

/** What makes an executor's cores run: threads in a process, virtual time in the simulation. */
public interface Cores {
    /** There are {@code tasks} more to run: gets as many idle cores going. Called by the executor's owner. */
    void wake(int tasks);

    /** Starts another core beside those there are, in the place of one that is lost. Any thread may call. */
    void add(TaskCore core);

    /** Runs {@code action}, which never waits, after {@code delay}. Any thread may call. */
    void after(Duration delay, Runnable action);

    /** Starts nothing more; what runs was told to end already. */
    void stop();

    /** Starts the cores of one executor, once the application's classes are known. */
    @FunctionalInterface
    interface Factory {
        Cores start(ClassLoader application, List<TaskCore> cores);
    }
}
