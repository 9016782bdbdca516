package dev.hearth.spi.monitor;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Distribution over {@code tasks} tasks: the value of each metric at each quantile, in the order of {@code quantiles}.
 * {@code millis} is the distribution of the time from launch to end of a task.
 */
public record TaskDistribution(
        List<Double> quantiles, List<Double> millis, Map<TaskMetric, List<Double>> values, int tasks) {
    public TaskDistribution {
        quantiles = List.copyOf(quantiles);
        millis = List.copyOf(millis);
        values = Collections.unmodifiableMap(new EnumMap<>(values));
    }

    public List<Double> of(TaskMetric metric) {
        return values.getOrDefault(metric, List.of());
    }
}
