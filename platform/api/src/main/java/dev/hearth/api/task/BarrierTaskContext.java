package dev.hearth.api.task;

import dev.hearth.api.HearthException;
import java.util.List;

/**
 * The context of a task in a barrier stage: all tasks of the stage run at the same time and can wait for each other.
 */
public interface BarrierTaskContext extends TaskContext {
    /**
     * The context of the task that the calling thread runs; throws {@code WRONG_THREAD} if this is no task of a barrier
     * stage.
     */
    static BarrierTaskContext current() {
        if (TaskContext.current() instanceof BarrierTaskContext barrier) {
            return barrier;
        }
        throw new HearthException(
                "WRONG_THREAD", "barrier: this task is not in a barrier stage (expected: a stage after Rdd.barrier())");
    }

    /** Waits until all tasks of the stage have called this method; fails after {@code hearth.barrier.sync.timeout}. */
    void barrier();

    /** Waits as {@link #barrier} does, and returns the {@code message} arguments of all tasks, in partition order. */
    List<String> allGather(String message);

    /** The addresses of all tasks of the stage, in partition order. */
    List<Address> addresses();

    /**
     * The address of a task of the stage: the host name or IP address at which its executor is reached, and the id of
     * that executor.
     */
    record Address(String host, String executor) {}
}
