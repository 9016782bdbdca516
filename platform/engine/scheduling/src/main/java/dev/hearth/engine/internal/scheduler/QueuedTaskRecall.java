package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Recalls queued attempts from busy executors, so that they can run on executors with free slots. Does so only while no
 * pending task needs these slots. Owned by {@link TaskScheduler}. Invariant: at most as many recalls are outstanding as
 * slots are free. Recalls from executors that are being decommissioned do not count.
 */
final class QueuedTaskRecall {
    private static final String REASON = "recalled";
    /**
     * Time without progress after which an executor counts as stalled and its queued attempts are recalled. Progress is
     * the begin or end of an attempt.
     */
    static final long STALLED_NANOS = 5_000_000;

    /**
     * Bound on the estimated time that the attempts queued at one executor need to run. Attempts above the bound are
     * recalled at once.
     */
    static final long LATE_NANOS = 2 * QueueCredit.QUEUED_NANOS_PER_CORE;

    /**
     * Number of executors with queued attempts up to which each call of {@link #recallLate} examines them. If there are
     * more, a pause follows each examination.
     */
    private static final int EXAMINED_FREELY_MAX = 64;
    /**
     * If more queues than {@link #EXAMINED_FREELY_MAX} were examined, the next examination waits for this time,
     * multiplied by the number of queues. This limits the share of time that the driver's event loop spends on
     * examinations.
     */
    private static final long PAUSE_NANOS = 1_000;

    private final ExecutorSet executors;
    private final SchedulerEffects effects;
    private int outstanding;
    private OptionalLong pausedUntil = OptionalLong.empty();

    QueuedTaskRecall(ExecutorSet executors, SchedulerEffects effects) {
        this.executors = executors;
        this.effects = effects;
    }

    /** Handles the end of an attempt: if it was recalled, one recall fewer is outstanding. */
    void ended(Attempt attempt) {
        if (attempt.recalled) {
            outstanding--;
        }
    }

    /**
     * Recalls queued attempts of executors that are stalled, or whose queues take longer than {@link #LATE_NANOS} to
     * run. Returns the time at which to call this method again; empty if only an event requires a call. Called only
     * while no pending task needs the free slots.
     */
    OptionalLong recallLate(long now) {
        OptionalLong wake = OptionalLong.empty();
        if (executors.free() <= outstanding) {
            return wake;
        }
        if (pausedUntil.isPresent() && now - pausedUntil.getAsLong() < 0) {
            return pausedUntil;
        }
        Collection<Executor> queueing = executors.queueing();
        pausedUntil = queueing.size() <= EXAMINED_FREELY_MAX
                ? OptionalLong.empty()
                : OptionalLong.of(now + queueing.size() * PAUSE_NANOS);
        for (Executor executor : queueing) {
            Attempt last = executor.youngest();
            if (last == null) {
                continue;
            }
            if (executors.free() <= outstanding) {
                break;
            }
            long stalledAt = executor.progressNanos() + STALLED_NANOS;
            long left = last.set.credit().nanosOf(executor.queued(), executor.slots());
            if (now - stalledAt < 0 && left <= LATE_NANOS) {
                wake = Deadlines.earlier(wake, stalledAt);
            } else {
                recall(executor);
            }
        }
        return wake;
    }

    /** Recalls all queued attempts of an executor that is being decommissioned, so that they run elsewhere. */
    void recallAll(Executor executor) {
        for (Attempt attempt = executor.youngest(); attempt != null && !attempt.begun; attempt = attempt.previous) {
            if (!attempt.recalled && !attempt.killed) {
                attempt.recalled = true;
                outstanding++;
                effects.add(new Kill(executor.id(), attempt.task, KillKind.RECALL, REASON));
            }
        }
    }

    private void recall(Executor executor) {
        for (Attempt attempt = executor.youngest();
                attempt != null && !attempt.begun && outstanding < executors.free();
                attempt = attempt.previous) {
            if (!attempt.recalled
                    && !attempt.killed
                    && outstanding < attempt.set.group().free()
                    && attempt.set.group().anyFreeFor(attempt)) {
                attempt.recalled = true;
                outstanding++;
                effects.add(new Kill(executor.id(), attempt.task, KillKind.RECALL, REASON));
            }
        }
    }
}
