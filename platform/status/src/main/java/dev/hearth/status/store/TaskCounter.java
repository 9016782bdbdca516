package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.spi.monitor.TaskCounts;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts of task attempts by state. Guarded by the lock of {@link StatusStore}. */
final class TaskCounter {
    private static final int REASONS_MAX = 20;
    private static final int REASON_CHARACTERS_MAX = 200;
    private static final String OTHER_REASONS = "other reasons";

    private long active;
    private long succeeded;
    private long failed;
    private long killed;
    private Map<String, Integer> killedFor = Map.of();

    void started() {
        active++;
    }

    /**
     * Counts the end of an attempt whose outcome is unknown. The attempt was counted as started, so one attempt fewer
     * is active.
     */
    void forgotten() {
        active--;
    }

    void ended(TaskOutcome outcome, String reason) {
        active--;
        count(outcome, reason);
    }

    /**
     * Counts the outcome of an ended attempt whose start was not counted. The number of active attempts therefore does
     * not change.
     */
    void count(TaskOutcome outcome, String reason) {
        switch (outcome) {
            case SUCCEEDED -> succeeded++;
            case FAILED, EXECUTOR_LOST, FETCH_FAILED -> failed++;
            case KILLED, COMMIT_DENIED, RECALLED -> {
                killed++;
                because(reason.isEmpty() ? outcome.name() : reason);
            }
        }
    }

    void add(TasksSummarised sum) {
        active += sum.started() - sum.succeeded() - sum.failed() - sum.killed();
        succeeded += sum.succeeded();
        failed += sum.failed();
        killed += sum.killed();
    }

    long active() {
        return active;
    }

    /**
     * The counts, clamped to the range of an int. They are never negative, even if the end of a task is counted before
     * its start.
     */
    TaskCounts counts() {
        return new TaskCounts(whole(active), whole(succeeded), whole(failed), whole(killed), killedFor);
    }

    private void because(String reason) {
        if (killedFor.isEmpty()) {
            killedFor = new LinkedHashMap<>();
        }
        String kept = reason.length() > REASON_CHARACTERS_MAX ? reason.substring(0, REASON_CHARACTERS_MAX) : reason;
        boolean room = killedFor.containsKey(kept) || killedFor.size() < REASONS_MAX;
        killedFor.merge(room ? kept : OTHER_REASONS, 1, Integer::sum);
    }

    static int whole(long count) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, count));
    }
}
