package dev.hearth.engine.internal.plan;

/**
 * Elements or file splits that the driver sends with each task of a stage, by partition. Created on the thread that
 * submits the job. Thread-safe; runs no user code.
 */
public interface PartitionInputs {
    /** The inputs of a stage whose tasks need no input from the driver, such as one that reads a shuffle. */
    PartitionInputs NONE = partition -> TaskInput.NONE;

    TaskInput input(int partition);
}
