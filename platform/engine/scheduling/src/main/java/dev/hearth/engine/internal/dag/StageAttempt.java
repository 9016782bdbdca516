package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One attempt at a stage: what it has to run still, and what it took so far. Owned by its {@link Stage}, until the task
 * scheduler says that none of its tasks runs any more or the stage is over.
 * <p>A barrier attempt holds its successes back until it has all of them: they count together or not at all.
 */
final class StageAttempt {
    private final TaskSetId id;
    private final int[] partitions;
    private final int generation;
    private final long submittedMillis;
    private final BitSet finished = new BitSet();
    private final StageMetrics metrics = new StageMetrics();
    private final List<Succeeded> held = new ArrayList<>();
    private int finishedCount;
    private boolean failed;
    private boolean broken;

    StageAttempt(TaskSetId id, int[] partitions, int generation, long submittedMillis) {
        this.id = id;
        this.partitions = partitions;
        this.generation = generation;
        this.submittedMillis = submittedMillis;
    }

    TaskSetId id() {
        return id;
    }

    int tasks() {
        return partitions.length;
    }

    /** What was registered in a later generation was not there yet when this attempt began. */
    int generation() {
        return generation;
    }

    long submittedMillis() {
        return submittedMillis;
    }

    StageMetrics metrics() {
        return metrics;
    }

    /** Notes a success of one of its own tasks; false when the partition had one before. */
    boolean finish(int partition) {
        if (finished.get(partition)) {
            return false;
        }
        finished.set(partition);
        finishedCount++;
        return true;
    }

    boolean isFinished() {
        return finishedCount == partitions.length;
    }

    void hold(Succeeded success) {
        held.add(success);
    }

    List<Succeeded> held() {
        return held;
    }

    /** It has ended as an attempt, though tasks of it may run on and succeed. */
    void fail() {
        failed = true;
    }

    boolean isFailed() {
        return failed;
    }

    /** Nothing that its tasks still do counts. */
    void discard() {
        broken = true;
        held.clear();
    }

    boolean isBroken() {
        return broken;
    }
}
