package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent.ExecutorLossExplained;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.Locality;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.spi.monitor.AccumulableView;
import dev.hearth.spi.monitor.TaskMetric;
import dev.hearth.spi.monitor.TaskView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Columnar table of up to {@link #ROWS_MAX} ended task attempts of one stage attempt. Columns save memory: an attempt
 * takes some 36 bytes, plus 8 for each metric that is not 0 for all attempts. Rows are only added; to free memory, the
 * store drops whole tables, the oldest first. Guarded by the lock of {@link StatusStore}.
 */
final class EndedTaskRows {
    static final int ROWS_MAX = 256;
    private static final int ROWS_FIRST = 4;
    private static final int FAILURE_CHARACTERS_MAX = 2000;
    private static final String EXECUTOR_LOST = "executor lost: "; // as in the failure texts of the scheduler
    private static final TaskMetric[] METRICS = TaskMetric.values();

    private final StageRecord stage;
    private final long firstMillis;
    private long[] tasks = new long[ROWS_FIRST];
    private int[] partitions = new int[ROWS_FIRST];
    private int[] attempts = new int[ROWS_FIRST]; // bitwise complement for speculative attempts
    private TaskOutcome[] outcomes = new TaskOutcome[ROWS_FIRST];
    private Locality[] localities = new Locality[ROWS_FIRST];
    private int[] launched = new int[ROWS_FIRST]; // milliseconds after firstMillis
    private int[] millis = new int[ROWS_FIRST]; // milliseconds from launch to end
    private Place[] places = new Place[ROWS_FIRST];
    private final long[][] metrics =
            new long[METRICS.length][]; // a column is allocated for its first value that is not 0
    private final Map<Integer, String> failures = new HashMap<>(0);
    private final Map<Integer, Map<String, String>> accumulated = new HashMap<>(0);
    private String lastFailure = "";
    private int size;

    EndedTaskRows(StageRecord stage, long firstMillis) {
        this.stage = stage;
        this.firstMillis = firstMillis;
    }

    /** Executor and host of a task. All tasks of one executor share one such object, which saves memory. */
    record Place(String executor, String host) {}

    StageRecord stage() {
        return stage;
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == ROWS_MAX;
    }

    void add(TaskEnded ended, Place place) {
        if (size == tasks.length) {
            grow(Math.min(ROWS_MAX, size * 2));
        }
        TaskInfo task = ended.task();
        int row = size++;
        tasks[row] = task.task();
        partitions[row] = task.partition();
        attempts[row] = task.speculative() ? ~task.attempt() : task.attempt();
        outcomes[row] = ended.outcome();
        localities[row] = task.locality();
        launched[row] = clamped(task.launchedMillis() - firstMillis);
        millis[row] = clamped(Math.max(0, ended.atMillis() - task.launchedMillis()));
        places[row] = place;
        for (int index = 0; index < METRICS.length; index++) {
            long value = METRICS[index].of(ended.metrics());
            if (value != 0) {
                column(index)[row] = value;
            }
        }
        if (!ended.failure().isEmpty()) {
            failures.put(row, interned(ended.failure()));
        }
        if (!ended.accumulated().isEmpty()) {
            accumulated.put(row, ended.accumulated());
        }
    }

    /**
     * Replaces the failure texts of the attempts that were lost with the executor of {@code event} by the reason of the
     * loss.
     */
    void explained(ExecutorLossExplained event) {
        failures.replaceAll((row, failure) -> {
            boolean lost = outcomes[row] == TaskOutcome.EXECUTOR_LOST
                    && places[row].executor().equals(event.executor());
            return lost ? interned(EXECUTOR_LOST + event.reason()) : failure;
        });
    }

    long task(int row) {
        return tasks[row];
    }

    int millis(int row) {
        return millis[row];
    }

    TaskOutcome outcome(int row) {
        return outcomes[row];
    }

    long metric(int index, int row) {
        long[] column = metrics[index];
        return column == null ? 0 : column[row];
    }

    TaskView view(int row) {
        long start = firstMillis + launched[row];
        long[] values = new long[METRICS.length];
        for (int index = 0; index < values.length; index++) {
            values[index] = metric(index, row);
        }
        TaskInfo info = new TaskInfo(
                tasks[row],
                stage.info().stage(),
                stage.info().attempt(),
                partitions[row],
                attempts[row] < 0 ? ~attempts[row] : attempts[row],
                places[row].executor(),
                places[row].host(),
                localities[row],
                attempts[row] < 0,
                start);
        return new TaskView(
                info,
                Optional.of(outcome(row)),
                OptionalLong.of(start + millis[row]),
                failures.getOrDefault(row, ""),
                MetricTotals.metrics(values),
                accumulables(accumulated.getOrDefault(row, Map.of())));
    }

    private static List<AccumulableView> accumulables(Map<String, String> added) {
        return added.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new AccumulableView(entry.getKey(), entry.getValue()))
                .toList();
    }

    private long[] column(int index) {
        long @Nullable [] column = metrics[index];
        if (column == null) {
            column = new long[tasks.length];
            metrics[index] = column;
        }
        return column;
    }

    private void grow(int rows) {
        tasks = Arrays.copyOf(tasks, rows);
        partitions = Arrays.copyOf(partitions, rows);
        attempts = Arrays.copyOf(attempts, rows);
        outcomes = Arrays.copyOf(outcomes, rows);
        localities = Arrays.copyOf(localities, rows);
        launched = Arrays.copyOf(launched, rows);
        millis = Arrays.copyOf(millis, rows);
        places = Arrays.copyOf(places, rows);
        for (int index = 0; index < metrics.length; index++) {
            long[] column = metrics[index];
            if (column != null) {
                metrics[index] = Arrays.copyOf(column, rows);
            }
        }
    }

    /**
     * Truncates a failure text. If the text equals that of the previous failure, returns the previous text object.
     * Successive tasks often fail alike and then share one object.
     */
    private String interned(String failure) {
        String cut = failure.length() > FAILURE_CHARACTERS_MAX ? failure.substring(0, FAILURE_CHARACTERS_MAX) : failure;
        if (!cut.equals(lastFailure)) {
            lastFailure = cut;
        }
        return lastFailure;
    }

    private static int clamped(long value) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }
}
