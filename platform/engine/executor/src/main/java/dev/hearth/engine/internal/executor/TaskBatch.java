package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Batch of launched tasks. Each task is taken by one core, and then begins unless it has been recalled. The cores and
 * the executor's event loop share the batch through two atomic variables.
 */
final class TaskBatch {
    static final int NONE = -1;

    private static final int WAITING = 0;
    private static final int BEGUN = 1;
    private static final int RECALLED = 2;

    final PreparedPipeline pipeline;
    final LaunchBatch tasks;
    final PartitionInputs inputs;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicIntegerArray states;

    TaskBatch(PreparedPipeline pipeline, LaunchBatch tasks, PartitionInputs inputs) {
        this.pipeline = pipeline;
        this.tasks = tasks;
        this.inputs = inputs;
        this.states = new AtomicIntegerArray(tasks.size());
    }

    boolean isLeft() {
        return next.get() < tasks.size();
    }

    /**
     * Takes the next task of the batch for the calling core. Returns the task's index in the batch; {@link #NONE} if
     * all tasks are taken.
     */
    int take() {
        if (next.get() >= tasks.size()) {
            return NONE;
        }
        int index = next.getAndIncrement();
        return index < tasks.size() ? index : NONE;
    }

    boolean begin(int index) {
        return states.compareAndSet(index, WAITING, BEGUN);
    }

    boolean recall(int index) {
        return states.compareAndSet(index, WAITING, RECALLED);
    }

    int find(long task) {
        for (int index = 0; index < tasks.size(); index++) {
            if (tasks.task(index) == task) {
                return index;
            }
        }
        return NONE;
    }
}
