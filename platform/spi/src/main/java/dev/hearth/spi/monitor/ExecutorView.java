package dev.hearth.spi.monitor;

import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Executor and its totals. An executor with a removal time is lost. Counts, {@code metrics} and {@code taskMillis}
 * include only ended task attempts that were reported individually, not those reported as part of a sum.
 */
public record ExecutorView(
        String id,
        String host,
        int cores,
        long addedMillis,
        OptionalLong removedMillis,
        String removedFor,
        Map<String, String> logs,
        boolean excluded,
        List<Integer> excludedStages,
        TaskCounts taskCounts,
        long taskMillis,
        TaskMetrics metrics) {
    public ExecutorView {
        logs = java.util.Collections.unmodifiableMap(new TreeMap<>(logs));
        excludedStages = List.copyOf(excludedStages);
    }
}
