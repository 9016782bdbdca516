package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.PreferredLocations;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Model of a task set. */
final class TaskSetModel {
    final TaskSetSpec spec;
    final long runNanos;
    final int badPercent;
    final Set<Integer> succeeded = new LinkedHashSet<>();
    final Map<Long, Integer> running = new LinkedHashMap<>(); // partitions by attempt
    final int[] attempts; // running ones by partition
    int pending;
    int ends; // number of failures, breaks and cancellations
    int started; // running ones that were counted as started
    boolean frozen;
    boolean drained;

    TaskSetModel(TaskSetSpec spec, long runNanos, int badPercent) {
        this.spec = spec;
        this.runNanos = runNanos;
        this.badPercent = badPercent;
        this.attempts = new int[spec.partitions().length];
        this.pending = attempts.length;
    }

    /** Whether it has pending tasks without preferred locations or barrier. */
    boolean takesAnyCore() {
        return !frozen
                && ends == 0
                && spec.plan().placement() == PreferredLocations.ANYWHERE
                && !spec.plan().barrier()
                && spec.partitions().length - succeeded.size() > running.size();
    }

    void launch(long task, int partition) {
        running.put(task, partition);
        pending -= isPending(partition) ? 1 : 0;
        attempts[partition]++;
    }

    void end(long task) {
        Integer partition = running.remove(task);
        if (partition != null) {
            attempts[partition]--;
            pending += isPending(partition) ? 1 : 0;
        }
    }

    boolean succeed(int partition) {
        pending -= isPending(partition) ? 1 : 0;
        return succeeded.add(partition);
    }

    boolean isPending(int partition) {
        return attempts[partition] == 0 && !succeeded.contains(partition);
    }

    int pending() {
        return frozen || ends > 0 ? 0 : pending;
    }

    boolean isDone() {
        return succeeded.size() == spec.partitions().length;
    }
}
