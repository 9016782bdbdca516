package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import java.util.Collection;
import java.util.OptionalLong;

/** Looks, once an interval, for tasks that are slow among those of their set. Owned by {@link TaskScheduler}. */
final class Speculation {
    private static final double NANOS_PER_SECOND = 1e9;

    private final SpeculationSettings settings;
    private final ExecutorSet executors;
    private final SchedulerEffects effects;
    private long lookedNanos;
    private boolean looked;

    Speculation(SpeculationSettings settings, ExecutorSet executors, SchedulerEffects effects) {
        this.settings = settings;
        this.executors = executors;
        this.effects = effects;
    }

    void submitted(TaskSet set) {
        if (settings.enabled() && !set.isBarrier()) {
            set.runTimes = new RunTimeHistogram();
        }
    }

    void look(Collection<TaskSet> sets, long now) {
        if (!settings.enabled() || (looked && now - lookedNanos < settings.intervalNanos())) {
            return;
        }
        looked = true;
        lookedNanos = now;
        for (TaskSet set : sets) {
            RunTimeHistogram times = set.runTimes;
            if (times != null && set.isOpen()) {
                look(set, times, now);
            }
        }
    }

    /** When to look again. */
    OptionalLong wakeNanos(Collection<TaskSet> sets) {
        return settings.enabled() && !sets.isEmpty()
                ? OptionalLong.of(lookedNanos + settings.intervalNanos())
                : OptionalLong.empty();
    }

    private void look(TaskSet set, RunTimeHistogram times, long now) {
        if (set.size() == 1 && settings.thresholdNanos().isEmpty()) {
            return; // nothing to compare it with
        }
        if (times.size() >= Math.max(1, (int) (settings.quantile() * set.size()))) {
            long slow = (long) (settings.multiplier() * times.medianNanos());
            find(set, times, Math.max(slow, settings.runNanosMin()), settings.efficiency(), now);
        } else if (settings.thresholdNanos().isPresent() && set.size() <= coresOfOne()) {
            find(set, times, settings.thresholdNanos().getAsLong(), false, now);
        }
    }

    private int coresOfOne() {
        return executors.all().stream().mapToInt(Executor::cores).max().orElse(0);
    }

    private void find(TaskSet set, RunTimeHistogram times, long threshold, boolean onlyInefficient, long now) {
        for (int place = 0; place < set.runningTasks(); place++) {
            Attempt attempt = set.running(place);
            // whoever does not give back what it has not begun stands still
            long ran = now - (attempt.begun ? attempt.begunNanos : attempt.executor.progressNanos());
            if ((attempt.begun || attempt.recalled)
                    && ran > threshold
                    && !attempt.slow
                    && attempt.twin == null
                    && !attempt.killed
                    && !set.isDone(attempt.index)
                    && (!onlyInefficient || isInefficient(times, attempt, ran, threshold))) {
                attempt.slow = true;
                set.slow().add(attempt);
                effects.tell(
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
