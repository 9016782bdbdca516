package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Recalls queued attempts from busy executors when other executors have free cores that no pending task needs. Owned by
 * {@link TaskScheduler}. Invariant: at most as many recalls are outstanding as cores are free, not counting the recalls
 * from executors that are being decommissioned.
 */
final class QueuedTaskRecall {
    private static final String REASON = "recalled";
    /**
     * An executor on which no attempt began or ended for this long runs long tasks: its queue is considered stalled and
     * recalled.
     */
    static final long STALLED_NANOS = 5_000_000;

    /** A queue that is estimated to take longer than this is recalled at once. */
    static final long LATE_NANOS = 2 * QueueCredit.QUEUED_NANOS_PER_CORE;

    /** At every settle call, up to this many queues are examined without a pause. */
    private static final int EXAMINED_FREELY_MAX = 64;
    /**
     * After examining more queues than that, pause per examined queue, so that examining takes a small part of the
     * time.
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

    /** Handles the end of an attempt, recalled or not. */
    void ended(Attempt attempt) {
        if (attempt.recalled) {
            outstanding--;
        }
    }

    /**
     * Recalls attempts from stalled or long queues and returns when to call this method again. Called only while no
     * pending task needs the free cores.
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
            long left = last.set.credit().nanosOf(executor.queued(), executor.cores());
            if (now - stalledAt < 0 && left <= LATE_NANOS) {
                wake = Deadlines.earlier(wake, stalledAt);
            } else {
                recall(executor);
            }
        }
        return wake;
    }

    /** Recalls all queued attempts of an executor that is being decommissioned. */
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
            if (!attempt.recalled && !attempt.killed && executors.anyFreeFor(attempt)) {
                attempt.recalled = true;
                outstanding++;
                effects.add(new Kill(executor.id(), attempt.task, KillKind.RECALL, REASON));
            }
        }
    }
}
