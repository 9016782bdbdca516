package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent.ExecutorAdded;
import dev.hearth.api.event.ApplicationEvent.ExecutorDescribed;
import dev.hearth.api.event.ApplicationEvent.ExecutorExcluded;
import dev.hearth.api.event.ApplicationEvent.ExecutorLossExplained;
import dev.hearth.api.event.ApplicationEvent.ExecutorReadmitted;
import dev.hearth.api.event.ApplicationEvent.ExecutorRemoved;
import dev.hearth.api.event.ApplicationEvent.HostExcluded;
import dev.hearth.api.event.ApplicationEvent.HostReadmitted;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.spi.monitor.ExecutorView;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;

/** The executors of an application, with their task counts and metrics. Guarded by the lock of {@link StatusStore}. */
final class ExecutorTable {
    private static final int EVERY_STAGE = -1;

    private final int deadMax;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final ArrayDeque<String> dead = new ArrayDeque<>();

    ExecutorTable(int deadMax) {
        this.deadMax = deadMax;
    }

    void added(ExecutorAdded event) {
        rows.put(event.executor(), new Row(event));
    }

    void removed(ExecutorRemoved event) {
        Row row = rows.get(event.executor());
        if (row == null || row.removedMillis.isPresent()) {
            return;
        }
        row.removedMillis = OptionalLong.of(event.atMillis());
        row.removedFor = event.reason();
        dead.add(event.executor());
        if (dead.size() > deadMax) {
            rows.remove(dead.remove());
        }
    }

    void described(ExecutorDescribed event) {
        Row row = rows.get(event.executor());
        if (row != null) {
            row.logs = event.logs();
            row.attributes = event.attributes();
        }
    }

    void explained(ExecutorLossExplained event) {
        Row row = rows.get(event.executor());
        if (row != null && row.removedMillis.isPresent()) {
            row.removedFor = event.reason();
        }
    }

    void excluded(ExecutorExcluded event) {
        Row row = rows.get(event.executor());
        if (row != null) {
            row.exclude(event.stage());
        }
    }

    void excluded(HostExcluded event) {
        rows.values().stream()
                .filter(row -> row.added.host().equals(event.host()))
                .forEach(row -> row.exclude(event.stage()));
    }

    void readmitted(ExecutorReadmitted event) {
        Row row = rows.get(event.executor());
        if (row != null) {
            row.excluded = false;
        }
    }

    void readmitted(HostReadmitted event) {
        rows.values().stream()
                .filter(row -> row.added.host().equals(event.host()))
                .forEach(row -> row.excluded = false);
    }

    /** Forgets which executors were excluded from the stage {@code stage}, because the stage has ended. */
    void stageOver(int stage) {
        rows.values().forEach(row -> row.excludedStages.remove(stage));
    }

    void taskStarted(TaskInfo task) {
        Row row = rows.get(task.executor());
        if (row != null) {
            row.tally.started();
        }
    }

    /**
     * Counts the end of a task on its executor. {@code counted} says whether the start of the task was counted, so that
     * the number of active tasks must decrease.
     */
    void taskEnded(TaskEnded ended, boolean counted) {
        Row row = rows.get(ended.task().executor());
        if (row != null) {
            if (counted) {
                row.tally.ended(ended.outcome(), ended.failure());
            } else {
                row.tally.count(ended.outcome(), ended.failure());
            }
            row.taskMillis += Math.max(0, ended.atMillis() - ended.task().launchedMillis());
            row.sums.add(ended.metrics());
        }
    }

    /**
     * Counts the end of a task without its outcome. The task's start arrived as an event of its own, but its end
     * arrived only within a sum of tasks.
     */
    void forgotten(TaskInfo task) {
        Row row = rows.get(task.executor());
        if (row != null) {
            row.tally.forgotten();
        }
    }

    /** The executor and host of a task. If the executor is known, all its tasks share one object. */
    EndedTaskRows.Place place(TaskInfo task) {
        Row row = rows.get(task.executor());
        return row == null ? new EndedTaskRows.Place(task.executor(), task.host()) : row.place;
    }

    List<ExecutorView> views() {
        return rows.values().stream().map(Row::view).toList();
    }

    private static final class Row {
        private final ExecutorAdded added;
        private final EndedTaskRows.Place place;
        private final TaskCounter tally = new TaskCounter();
        private final MetricTotals sums = new MetricTotals();
        private final TreeSet<Integer> excludedStages = new TreeSet<>();
        private boolean excluded;
        private long taskMillis;
        private OptionalLong removedMillis = OptionalLong.empty();
        private String removedFor = "";
        private Map<String, String> logs;
        private Map<String, String> attributes;

        Row(ExecutorAdded added) {
            this.added = added;
            this.place = new EndedTaskRows.Place(added.executor(), added.host());
            this.logs = added.logs();
            this.attributes = added.attributes();
        }

        void exclude(int stage) {
            if (stage == EVERY_STAGE) {
                excluded = true;
            } else {
                excludedStages.add(stage);
            }
        }

        ExecutorView view() {
            return new ExecutorView(
                    added.executor(),
                    added.host(),
                    added.cores(),
                    added.atMillis(),
                    removedMillis,
                    removedFor,
                    logs,
                    excluded,
                    List.copyOf(excludedStages),
                    tally.counts(),
                    taskMillis,
                    sums.metrics(),
                    attributes,
                    added.profile(),
                    added.maxTasks(),
                    added.resources());
        }
    }
}
