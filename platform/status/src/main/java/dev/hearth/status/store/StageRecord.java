package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.spi.monitor.AccumulableView;
import dev.hearth.spi.monitor.StageView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** The status of one stage attempt that the status store retains. Guarded by the lock of {@link StatusStore}. */
final class StageRecord {
    private static final int ACCUMULABLES_MAX = 200;

    final Set<Integer> jobs = new LinkedHashSet<>();
    final Set<JobRecord> activeJobs = new LinkedHashSet<>();
    final TaskCounter tally = new TaskCounter();
    final MetricTotals sums = new MetricTotals();
    final Map<Long, TaskInfo> running = new LinkedHashMap<>();
    final ArrayDeque<EndedTaskRows> ended = new ArrayDeque<>(1);
    StageView.State state = StageView.State.PENDING;
    String failure = "";
    OptionalLong submittedMillis = OptionalLong.empty();
    OptionalLong firstTaskMillis = OptionalLong.empty();
    OptionalLong endedMillis = OptionalLong.empty();
    long summarised;
    private StageInfo info;
    private Map<String, String> accumulated = Map.of();

    StageRecord(StageInfo info) {
        this.info = info;
    }

    StageInfo info() {
        return info;
    }

    /** Records that the stage attempt was submitted at the time {@code millis}. Its state is then ACTIVE. */
    void submit(StageInfo planned, long millis) {
        info = planned;
        state = StageView.State.ACTIVE;
        submittedMillis = OptionalLong.of(millis);
    }

    void end(StageView.State last, long millis) {
        state = last;
        endedMillis = OptionalLong.of(millis);
    }

    boolean isOver() {
        return switch (state) {
            case PENDING, ACTIVE -> false;
            case COMPLETE, FAILED, SKIPPED -> true;
        };
    }

    void firstTask(long millis) {
        if (firstTaskMillis.isEmpty()) {
            firstTaskMillis = OptionalLong.of(millis);
        }
    }

    void accumulate(TaskEnded task) {
        if (task.accumulated().isEmpty()) {
            return;
        }
        if (accumulated.isEmpty()) {
            accumulated = new LinkedHashMap<>();
        }
        task.accumulated().forEach((name, added) -> {
            if (accumulated.containsKey(name) || accumulated.size() < ACCUMULABLES_MAX) {
                accumulated.merge(name, added, StageRecord::sum);
            }
        });
    }

    /**
     * Returns the sum of two accumulator values that are given as text. If one of them is not a number, returns
     * {@code added}, the newer of them.
     */
    private static String sum(String before, String added) {
        try {
            return String.valueOf(Math.addExact(Long.parseLong(before), Long.parseLong(added)));
        } catch (NumberFormatException | ArithmeticException noWholeNumbers) {
            try {
                return String.valueOf(Double.parseDouble(before) + Double.parseDouble(added));
            } catch (NumberFormatException noNumbers) {
                return added;
            }
        }
    }

    StageView view() {
        List<AccumulableView> accumulables = new ArrayList<>();
        accumulated.forEach((name, value) -> accumulables.add(new AccumulableView(name, value)));
        return new StageView(
                info,
                state,
                failure,
                List.copyOf(jobs),
                submittedMillis,
                firstTaskMillis,
                endedMillis,
                tally.counts(),
                sums.metrics(),
                summarised,
                accumulables);
    }
}
