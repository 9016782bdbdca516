package dev.hearth.spi.monitor;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Executor with the totals of its tasks; it is lost if {@code removedMillis} is present. Of stages with very many
 * tasks, some task attempts are reported only as a sum; {@code taskCounts}, {@code metrics} and {@code taskMillis}
 * exclude these. {@code logs} and {@code attributes} are those that its cluster reported.
 * It runs {@code maxTasks} tasks at a time, which may use the addresses of {@code resources}.
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
        TaskMetrics metrics,
        Map<String, String> attributes,
        int profile,
        int maxTasks,
        List<ResourceInformation> resources) {
    public ExecutorView {
        logs = Collections.unmodifiableMap(new TreeMap<>(logs));
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
        excludedStages = List.copyOf(excludedStages);
        resources = List.copyOf(resources);
    }
}
