package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent.ExecutorLossExplained;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.monitor.TaskDistribution;
import dev.hearth.spi.monitor.TaskMetric;
import dev.hearth.spi.monitor.TaskQuery;
import dev.hearth.spi.monitor.TaskView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The retained tasks of all stages, up to a maximum; the oldest tasks are dropped first. Guarded by the lock of
 * {@link StatusStore}.
 */
final class TaskTable {
    private static final TaskMetric[] METRICS = TaskMetric.values();

    private final int tasksMax;
    private final ArrayDeque<EndedTaskRows> oldest = new ArrayDeque<>();
    private int kept;

    TaskTable(int tasksMax) {
        this.tasksMax = tasksMax;
    }

    void add(StageRecord stage, TaskEnded ended, EndedTaskRows.Place place) {
        EndedTaskRows rows = stage.ended.peekLast();
        if (rows == null || rows.isFull()) {
            rows = new EndedTaskRows(stage, ended.task().launchedMillis());
            stage.ended.add(rows);
            oldest.add(rows);
        }
        rows.add(ended, place);
        kept++;
        while (kept > tasksMax) {
            EndedTaskRows gone = oldest.remove();
            gone.stage().ended.remove(gone);
            kept -= gone.size();
        }
    }

    /**
     * Replaces the failure texts of the tasks that were lost with the executor of {@code event} by the reason of the
     * loss.
     */
    void explained(ExecutorLossExplained event) {
        oldest.forEach(rows -> rows.explained(event));
    }

    /** Drops the retained tasks of a stage attempt that the status store does not retain any more. */
    void forget(StageRecord stage) {
        if (!stage.ended.isEmpty()) {
            for (EndedTaskRows rows : stage.ended) {
                oldest.remove(rows); // found near the front, as the oldest stages are dropped first
                kept -= rows.size();
            }
            stage.ended.clear();
        }
    }

    int kept() {
        return kept;
    }

    List<TaskView> tasks(StageRecord stage, TaskQuery query, long nowMillis) {
        List<Found> found = new ArrayList<>();
        for (EndedTaskRows rows : stage.ended) {
            for (int row = 0; row < rows.size(); row++) {
                if (wanted(query, state(rows.outcome(row)))) {
                    found.add(new Found(rows.task(row), rows.millis(row), rows, row, null));
                }
            }
        }
        if (wanted(query, TaskQuery.State.RUNNING)) {
            for (TaskInfo task : stage.running.values()) {
                found.add(new Found(task.task(), nowMillis - task.launchedMillis(), null, 0, task));
            }
        }
        found.sort(order(query.order()));
        return found.stream()
                .skip(query.offset())
                .limit(query.length())
                .map(Found::view)
                .toList();
    }

    /**
     * Returns the metric values of the succeeded tasks of {@code stage}, unsorted: one array for each metric. An
     * additional last array has the milliseconds from launch to end.
     */
    static long[][] values(StageRecord stage) {
        int size = 0;
        for (EndedTaskRows rows : stage.ended) {
            size += rows.size();
        }
        long[][] values = new long[METRICS.length + 1][size];
        int next = 0;
        for (EndedTaskRows rows : stage.ended) {
            for (int row = 0; row < rows.size(); row++) {
                if (rows.outcome(row) == TaskOutcome.SUCCEEDED) {
                    for (int metric = 0; metric < METRICS.length; metric++) {
                        values[metric][next] = rows.metric(metric, row);
                    }
                    values[METRICS.length][next] = rows.millis(row);
                    next++;
                }
            }
        }
        for (int column = 0; column < values.length; column++) {
            values[column] = Arrays.copyOf(values[column], next);
        }
        return values;
    }

    /**
     * The quantiles of each array in {@code values}, which {@link #values} has returned; empty if no task succeeded.
     * Needs no lock, as the arrays are copies.
     */
    static Optional<TaskDistribution> distribution(long[][] values, List<Double> quantiles) {
        int tasks = values[0].length;
        if (tasks == 0) {
            return Optional.empty();
        }
        Map<TaskMetric, List<Double>> spread = new EnumMap<>(TaskMetric.class);
        for (int metric = 0; metric < METRICS.length; metric++) {
            spread.put(METRICS[metric], at(values[metric], quantiles));
        }
        return Optional.of(new TaskDistribution(quantiles, at(values[METRICS.length], quantiles), spread, tasks));
    }

    private static List<Double> at(long[] values, List<Double> quantiles) {
        Arrays.sort(values);
        return quantiles.stream()
                .map(quantile -> (double) values[(int) Math.min(values.length - 1L, (long) (quantile * values.length))])
                .toList();
    }

    private static boolean wanted(TaskQuery query, TaskQuery.State state) {
        return query.states().isEmpty() || query.states().contains(state);
    }

    private static TaskQuery.State state(TaskOutcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> TaskQuery.State.SUCCEEDED;
            case FAILED, EXECUTOR_LOST, FETCH_FAILED -> TaskQuery.State.FAILED;
            case KILLED, COMMIT_DENIED, RECALLED -> TaskQuery.State.KILLED;
        };
    }

    private static Comparator<Found> order(TaskQuery.Order order) {
        Comparator<Found> byId = Comparator.comparingLong(Found::task);
        return switch (order) {
            case ID -> byId;
            case INCREASING_RUNTIME -> Comparator.comparingLong(Found::millis).thenComparing(byId);
            case DECREASING_RUNTIME ->
                Comparator.comparingLong(Found::millis).reversed().thenComparing(byId);
        };
    }

    /** One task that matches a query: either an ended task, as a row of a table of ended tasks, or a running task. */
    private record Found(
            long task,
            long millis,
            @Nullable EndedTaskRows rows,
            int row,
            @Nullable TaskInfo running) {
        TaskView view() {
            if (rows != null) {
                return rows.view(row);
            }
            return new TaskView(
                    Objects.requireNonNull(running),
                    Optional.empty(),
                    OptionalLong.empty(),
                    "",
                    TaskMetrics.NONE,
                    List.of());
        }
    }
}
