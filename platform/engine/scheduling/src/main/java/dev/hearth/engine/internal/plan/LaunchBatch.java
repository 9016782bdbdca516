package dev.hearth.engine.internal.plan;

import java.util.Arrays;

/**
 * Attempts of one stage attempt for one executor to run, in arrays: a few bytes each. Filled by the scheduler, then handed
 * over for good. What the tasks read comes from {@link StagePlan#inputs} when they are sent or started.
 */
public final class LaunchBatch {
    private static final int ROOM = 8;

    private final StagePlan plan;
    private final int stage;
    private final int stageAttempt;
    private long[] tasks = new long[ROOM];
    private int[] partitions = new int[ROOM];
    private int[] attempts = new int[ROOM];
    private int size;

    public LaunchBatch(StagePlan plan, int stage, int stageAttempt) {
        this.plan = plan;
        this.stage = stage;
        this.stageAttempt = stageAttempt;
    }

    public void add(long task, int partition, int attempt) {
        if (size == tasks.length) {
            tasks = Arrays.copyOf(tasks, size * 2);
            partitions = Arrays.copyOf(partitions, size * 2);
            attempts = Arrays.copyOf(attempts, size * 2);
        }
        tasks[size] = task;
        partitions[size] = partition;
        attempts[size] = attempt;
        size++;
    }

    public StagePlan plan() {
        return plan;
    }

    public int stage() {
        return stage;
    }

    public int stageAttempt() {
        return stageAttempt;
    }

    public int size() {
        return size;
    }

    public long task(int index) {
        return tasks[index];
    }

    public int partition(int index) {
        return partitions[index];
    }

    public int attempt(int index) {
        return attempts[index];
    }
}
