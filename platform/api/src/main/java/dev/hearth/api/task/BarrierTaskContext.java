package dev.hearth.api.task;

import dev.hearth.api.HearthException;
import java.util.List;

/** The task of a barrier stage: all tasks of the stage run at the same time, and can wait for each other. */
public interface BarrierTaskContext extends TaskContext {
    /** The barrier task of the calling thread; refused with {@code WRONG_THREAD} elsewhere. */
    static BarrierTaskContext current() {
        if (TaskContext.current() instanceof BarrierTaskContext barrier) {
            return barrier;
        }
        throw new HearthException(
                "WRONG_THREAD", "barrier: this task is of a plain stage (expected: one after Rdd.barrier())");
    }

    /** Waits until every task of the stage is here, within {@code hearth.barrier.sync.timeout}. */
    void barrier();

    /** Waits as {@link #barrier} does, and returns what every task brought, by partition. */
    List<String> allGather(String message);

    /** Where the tasks of the stage run, by partition. */
    List<Address> addresses();

    /** Where one task runs: its host, and its executor. */
    record Address(String host, String executor) {}
}
