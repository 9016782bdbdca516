package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Kill;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Takes tasks back that wait for a core while cores elsewhere are free and nothing else wants those. Owned by
 * {@link TaskScheduler}. Invariant: no more are called back at a time than cores are free, but for executors that leave.
 */
final class QueuedTaskRecall {
    private static final String REASON = "recalled";
    /** A queue whose executor neither began nor ended anything for this long stands behind something long. */
    static final long STALLED_NANOS = 5_000_000;

    /** A queue that takes longer than this is not worth waiting for. */
    static final long LATE_NANOS = 2 * QueueCredit.QUEUED_NANOS_PER_CORE;

    /** So many queues are looked at whenever anything happens. */
    private static final int FREELY_LOOKED_AT_MAX = 64;
    /** The pause after a look at more of them, for each: looking takes a small part of the time, however many there are. */
    private static final long PAUSE_NANOS = 1_000;

    private final ExecutorSet executors;
    private final SchedulerEffects effects;
    private int out;
    private OptionalLong pausedUntil = OptionalLong.empty();

    QueuedTaskRecall(ExecutorSet executors, SchedulerEffects effects) {
        this.executors = executors;
        this.effects = effects;
    }

    /** An attempt has ended, recalled or not. */
    void ended(Attempt attempt) {
        if (attempt.recalled) {
            out--;
        }
    }

    /** Calls back what is late; returns when to look again. Only for when nothing waits for the free cores. */
    OptionalLong look(long now) {
        OptionalLong wake = OptionalLong.empty();
        if (executors.free() <= out) {
            return wake;
        }
        if (pausedUntil.isPresent() && now - pausedUntil.getAsLong() < 0) {
            return pausedUntil;
        }
        Collection<Executor> queueing = executors.queueing();
        pausedUntil = queueing.size() <= FREELY_LOOKED_AT_MAX
                ? OptionalLong.empty()
                : OptionalLong.of(now + queueing.size() * PAUSE_NANOS);
        for (Executor executor : queueing) {
            Attempt last = executor.youngest();
            if (last == null) {
                continue;
            }
            if (executors.free() <= out) {
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

    /** Calls back all that waits on an executor that begins nothing more. */
    void leave(Executor executor) {
        for (Attempt attempt = executor.youngest(); attempt != null && !attempt.begun; attempt = attempt.previous) {
            if (!attempt.recalled && !attempt.killed) {
                attempt.recalled = true;
                out++;
                effects.add(new Kill(executor.id(), attempt.task, KillKind.RECALL, REASON));
            }
        }
    }

    private void recall(Executor executor) {
        for (Attempt attempt = executor.youngest();
                attempt != null && !attempt.begun && out < executors.free();
                attempt = attempt.previous) {
            if (!attempt.recalled && !attempt.killed && executors.anyFreeFor(attempt)) {
                attempt.recalled = true;
                out++;
                effects.add(new Kill(executor.id(), attempt.task, KillKind.RECALL, REASON));
            }
        }
    }
}
