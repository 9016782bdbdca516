package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Searches periodically for tasks that run much longer than the other tasks of their task set, and requests a
 * speculative copy of each. Owned by {@link TaskScheduler}.
 */
final class Speculation {
    private static final double NANOS_PER_SECOND = 1e9;

    private final SpeculationSettings settings;
    private final SchedulerEffects effects;
    private long searchedNanos;
    private boolean searched;

    Speculation(SpeculationSettings settings, SchedulerEffects effects) {
        this.settings = settings;
        this.effects = effects;
    }

    void search(Collection<TaskSet> sets, long now) {
        if (!settings.enabled() || (searched && now - searchedNanos < settings.intervalNanos())) {
            return;
        }
        searched = true;
        searchedNanos = now;
        for (TaskSet set : sets) {
            RunTimeHistogram times = set.runTimes();
            if (times != null && set.isOpen()) {
                search(set, times, now);
            }
        }
    }

    /**
     * The time of the next search for slow tasks in {@code sets}; empty if speculation is disabled or {@code sets} is
     * empty.
     */
    OptionalLong wakeNanos(Collection<TaskSet> sets) {
        return settings.enabled() && !sets.isEmpty()
                ? OptionalLong.of(searchedNanos + settings.intervalNanos())
                : OptionalLong.empty();
    }

    private void search(TaskSet set, RunTimeHistogram times, long now) {
        if (set.size() == 1 && settings.thresholdNanos().isEmpty()) {
            return; // a task set with a single task has no run times to compare with
        }
        if (times.size() >= Math.max(1, (int) (settings.quantile() * set.size()))) {
            long slow = (long) (settings.multiplier() * times.medianNanos());
            find(set, times, Math.max(slow, settings.runNanosMin()), settings.efficiency(), now);
        } else if (settings.thresholdNanos().isPresent() && set.size() <= slotsOfOne(set)) {
            find(set, times, settings.thresholdNanos().getAsLong(), false, now);
        }
    }

    private static int slotsOfOne(TaskSet set) {
        return set.group().members().stream()
                .mapToInt(executor -> executor.slots(set.needs()))
                .max()
                .orElse(0);
    }

    private void find(TaskSet set, RunTimeHistogram times, long threshold, boolean onlyInefficient, long now) {
        for (int place = 0; place < set.runningTasks(); place++) {
            Attempt attempt = set.running(place);
            // a recalled attempt that the executor has not returned yet waits on an executor without progress
            long ran = now - (attempt.begun ? attempt.begunNanos : attempt.executor.progressNanos());
            if ((attempt.begun || attempt.recalled)
                    && ran > threshold
                    && !attempt.speculatable
                    && attempt.twin == null
                    && !attempt.killed
                    && !set.isDone(attempt.index)
                    && (!onlyInefficient || isInefficient(times, attempt, ran, threshold))) {
                attempt.speculatable = true;
                set.speculatable().add(attempt);
                effects.publish(
                        now,
                        millis -> new ApplicationEvent.SpeculationSubmitted(
                                millis, set.id().stage(), set.id().attempt(), set.partition(attempt.index)));
            }
        }
    }

    private boolean isInefficient(RunTimeHistogram times, Attempt attempt, long ran, long threshold) {
        double mean = times.recordsPerSecond();
        return ran > settings.longRunFactor() * threshold
                || mean <= 0
                || attempt.recordsRead / (ran / NANOS_PER_SECOND) < settings.rateMultiplier() * mean;
    }
}
