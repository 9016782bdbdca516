package dev.hearth.engine.internal.plan;

import dev.hearth.api.task.ResourceInformation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Batch of task attempts of one stage attempt, to be launched together on one executor. The attempts are stored in
 * arrays that take a few bytes per task. The task scheduler fills the batch and passes it on; after that the batch is
 * not modified. The batch contains no task inputs: they are taken from {@link StagePlan#inputs} when the tasks are sent
 * or started.
 */
public final class LaunchBatch {
    private static final int CAPACITY = 8;

    private final StagePlan plan;
    private final int stage;
    private final int stageAttempt;
    private long[] tasks = new long[CAPACITY];
    private int[] partitions = new int[CAPACITY];
    private int[] attempts = new int[CAPACITY];
    private int size;
    private @Nullable List<Map<String, ResourceInformation>> resources; // null unless tasks need resources

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

    /** Adds a task that may use the addresses {@code own}. All or no tasks of a batch have addresses. */
    public void add(long task, int partition, int attempt, Map<String, ResourceInformation> own) {
        add(task, partition, attempt);
        if (resources == null) {
            resources = new ArrayList<>();
        }
        resources.add(own);
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

    /** Addresses that a task may use, by the names of their resources. */
    public Map<String, ResourceInformation> resources(int index) {
        return resources == null ? Map.of() : resources.get(index);
    }
}
