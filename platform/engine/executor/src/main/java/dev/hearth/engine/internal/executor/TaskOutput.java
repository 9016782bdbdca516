package dev.hearth.engine.internal.executor;

/**
 * Output of an attempt that other tasks can read, such as a map output or a cached block. The attempt's thread calls
 * exactly one of the two methods when the attempt ends.
 */
interface TaskOutput {
    /** Makes the output visible, after a success. */
    void publish();

    /** Frees memory and files, after a failure. */
    void discard();
}
