package dev.hearth.engine.internal.plan;

/** What the tasks of a stage are given, by partition. Made on the thread that asked for the job; asked by any, runs no user code. */
public interface PartitionInputs {
    /** For stages that read a shuffle. */
    PartitionInputs NONE = partition -> TaskInput.NONE;

    TaskInput input(int partition);
}
