package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One attempt at a stage: its tasks, the finished ones and the sum of their metrics. Owned by its {@link Stage}, until
 * the attempt is drained or the stage is over.
 * <p>A barrier attempt holds successes back until all its tasks have succeeded: the successes count together or not at
 * all.
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

    /**
     * Number of the attempt among all stage attempts. Outputs registered after its start have at least this
     * generation.
     */
    int generation() {
        return generation;
    }

    long submittedMillis() {
        return submittedMillis;
    }

    StageMetrics metrics() {
        return metrics;
    }

    /** Records a success; returns false if the partition succeeded in this attempt before. */
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

    /** Marks the attempt as failed. Its running tasks go on and may still succeed. */
    void fail() {
        failed = true;
    }

    boolean isFailed() {
        return failed;
    }

    /** Marks a barrier attempt as broken: discards the successes held so far and all later ones. */
    void discard() {
        broken = true;
        held.clear();
    }

    boolean isBroken() {
        return broken;
    }
}
