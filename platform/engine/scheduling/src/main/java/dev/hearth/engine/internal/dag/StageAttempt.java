package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One attempt at a stage: its tasks, the finished ones among them and the sum of their metrics. Owned by its {@link
 * Stage}, until none of its tasks runs or the stage is over.
 * <p>An attempt at a barrier stage stores the successes of its tasks until all tasks have succeeded. The successes
 * count together or not at all.
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
     * Number of this attempt among all stage attempts of the application. Map outputs that are registered after the
     * start of this attempt have the same generation or a higher one.
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

    /**
     * Records that the task of a partition has succeeded in this stage attempt. Returns false if it was already
     * recorded.
     */
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

    /**
     * Marks this stage attempt as failed, so that the stage needs another one. The running tasks continue, and their
     * successes still count.
     */
    void fail() {
        failed = true;
    }

    boolean isFailed() {
        return failed;
    }

    /**
     * Marks an attempt at a barrier stage as broken. Discards the stored successes and all later ones, because all
     * tasks must run again.
     */
    void discard() {
        broken = true;
        held.clear();
    }

    boolean isBroken() {
        return broken;
    }
}
