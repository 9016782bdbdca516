package dev.hearth.spi.monitor;

import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * An executor and what it did. It is gone when it has a time of removal. {@code metrics} and {@code taskMillis} are sums over
 * the ended attempts that were told singly; so are the counts.
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
