package dev.hearth.status.store;

import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.monitor.TaskMetric;

/**
 * Sums of the metrics of many tasks, one per {@link TaskMetric}, updated in place without an allocation. Guarded by the
 * lock of {@link StatusStore}.
 */
final class MetricTotals {
    private static final TaskMetric[] METRICS = TaskMetric.values();

    private final long[] sums = new long[METRICS.length];

    void add(TaskMetrics metrics) {
        for (int index = 0; index < METRICS.length; index++) {
            long value = METRICS[index].of(metrics);
            sums[index] =
                    METRICS[index] == TaskMetric.PEAK_MEMORY_BYTES ? Math.max(sums[index], value) : sums[index] + value;
        }
    }

    /** Replaces each sum by the value of the same metric in {@code metrics}. */
    void replace(TaskMetrics metrics) {
        for (int index = 0; index < METRICS.length; index++) {
            sums[index] = METRICS[index].of(metrics);
        }
    }

    TaskMetrics metrics() {
        return metrics(sums);
    }

    /**
     * Creates task metrics from {@code values}: one value for each constant of {@link TaskMetric}, in order of the
     * constants.
     */
    static TaskMetrics metrics(long[] values) {
        return new TaskMetrics(
                values[0],
                values[1],
                values[2],
                values[3],
                values[4],
                values[5],
                values[6],
                values[7],
                values[8],
                values[9],
                values[10],
                values[11],
                values[12],
                values[13],
                values[14],
                values[15],
                values[16]);
    }
}
