package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Finds task sets with a task that may run on no executor, because exclusion forbids all of them. Such a task set fails
 * unless another executor registers within a timeout. An idle executor is released so that the cluster manager can
 * start another one. Owned by {@link TaskScheduler}.
 */
final class UnschedulableTaskSets {
    /**
     * Number of tasks to retry that one check examines per task set, latest failure first. It bounds the cost of a
     * check.
     */
    private static final int TASKS_EXAMINED_MAX = 64;

    private final SchedulerSettings settings;
    private final SchedulerEffects effects;
    private final AttemptCompletion endings;

    UnschedulableTaskSets(SchedulerSettings settings, SchedulerEffects effects, AttemptCompletion endings) {
        this.settings = settings;
        this.effects = effects;
        this.endings = endings;
    }

    /**
     * Fails each task set that has had, for the whole timeout, a pending task that no executor may run. Returns the
     * time at which the next such timeout ends, when this method must be called again. Empty if there is none.
     */
    OptionalLong check(Map<TaskSetId, TaskSet> sets, long now) {
        OptionalLong wake = OptionalLong.empty();
        List<TaskSet> failed = new ArrayList<>();
        for (TaskSet set : sets.values()) {
            int stuck = set.pending() == 0 ? TaskSet.NONE : stuckTask(set);
            if (stuck == TaskSet.NONE) {
                if (set.pending() == 0 || anyExecutor(set)) { // while there is no executor, the timeout continues
                    set.markSchedulable();
                }
                continue;
            }
            if (set.unschedulableSince().isEmpty()) {
                set.markUnschedulable(now);
                releaseIdle(set);
            }
            long end = set.unschedulableSince().orElse(now)
                    + (settings.executorsFixed() ? 0 : settings.exclusion().unschedulableNanos());
            if (now - end >= 0) {
                failed.add(set);
            } else {
                wake = Deadlines.earlier(wake, end);
            }
        }
        failed.forEach(set -> endings.abort(set, failure(set, stuckTask(set))));
        return wake;
    }

    private static boolean anyExecutor(TaskSet set) {
        return set.group().members().stream().anyMatch(executor -> !executor.suspended);
    }

    private int stuckTask(TaskSet set) {
        IntList again = set.toRetry();
        int least = Math.max(0, again.size() - TASKS_EXAMINED_MAX);
        for (int at = again.size() - 1; at >= least; at--) {
            if (set.isPending(again.at(at)) && isStuck(set, again.at(at))) {
                return again.at(at);
            }
        }
        int first = set.firstPending();
        return first != TaskSet.NONE && isStuck(set, first) ? first : TaskSet.NONE;
    }

    private static boolean isStuck(TaskSet set, int index) {
        boolean any = false;
        for (Executor executor : set.group().members()) {
            if (executor.suspended) {
                continue;
            }
            any = true;
            if (!executor.excluded && set.admits(executor) && set.admits(executor, index)) {
                return false;
            }
        }
        return any;
    }

    private void releaseIdle(TaskSet set) {
        if (settings.executorsFixed()) {
            return;
        }
        set.group().members().stream()
                .filter(executor -> executor.held() == 0 && !executor.suspended)
                .findFirst()
                .ifPresent(executor -> effects.add(new SchedulerEffect.ReleaseExecutor(
                        executor.id(),
                        "excluded: task set " + set.id() + " may run on none of the present executors")));
    }

    private HearthException failure(TaskSet set, int index) {
        String partition = index == TaskSet.NONE ? "a partition" : "partition " + set.partition(index);
        return ErrorCode.NOWHERE_TO_RUN.failure("task for " + partition + " of stage " + set.id()
                + ": excluded from all executors, of which there are "
                + set.group().members().size()
                + ", because it or other tasks failed on them (expected: an executor on which the task"
                + " may run"
                + (settings.executorsFixed()
                        ? ""
                        : ", within hearth.scheduler.excludeOnFailure.unschedulableTaskSetTimeout")
                + "); see why tasks failed, or raise the bounds of hearth.excludeOnFailure.*");
    }
}
