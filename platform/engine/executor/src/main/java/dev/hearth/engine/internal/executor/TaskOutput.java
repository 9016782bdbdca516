package dev.hearth.engine.internal.executor;

/**
 * Output of an attempt that other tasks can read, such as a map output or a cached block. When the attempt ends, its
 * thread calls either {@link #publish} or {@link #discard}, once.
 */
interface TaskOutput {
    /** Makes the output visible to other tasks. Called once the task attempt has succeeded. */
    void publish();

    /** Frees the memory and files of the output. Called once the task attempt has failed. */
    void discard();
}
