package dev.hearth.engine.internal.plan;

/**
 * Elements or file splits that the driver sends with each task of a stage, by partition. Created on the thread that
 * submits the job. Any thread may call it; it runs no user code.
 */
public interface PartitionInputs {
    /** Inputs of a stage that needs none, such as one that reads a shuffle. */
    PartitionInputs NONE = partition -> TaskInput.NONE;

    TaskInput input(int partition);
}
