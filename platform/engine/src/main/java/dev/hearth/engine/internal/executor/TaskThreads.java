package dev.hearth.engine.internal.executor;

/** Where tasks run: threads in a process, virtual time in the simulation. Called by the executor's loop alone. */
public interface TaskThreads {
    /** Runs {@code body} when one of the executor's cores is free; bodies never throw. */
    void start(long task, Runnable body);

    /** Interrupts a task that is running, and one that is not yet as soon as it does. */
    void interrupt(long task);

    /** Interrupts everything and starts nothing more. */
    void stop();

    /** Makes the threads of one executor, once the application's classes are known. */
    @FunctionalInterface
    interface Factory {
        TaskThreads open(ClassLoader application, int cores);
    }
}
