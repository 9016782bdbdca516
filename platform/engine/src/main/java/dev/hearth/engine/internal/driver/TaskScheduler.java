package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol.Frame;
import dev.hearth.engine.internal.protocol.DriverProtocol.Outcome;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskFailure;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskUpdate;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which task runs where: jobs of one stage each, first come first served. A state machine: events come in by its methods,
 * {@link #settle} fills free cores and hands out what is to be done; nothing blocks, nothing is sent, no clock is read.
 * <p>Invariants: an executor never runs more tasks than it has cores; a partition has at most one attempt running and
 * counts once; a job ends exactly once, completed, failed or cancelled. Owned by {@link Driver}.
 */
final class TaskScheduler {
    private final int failuresMax;
    private final Map<Long, TaskSet> jobs = new LinkedHashMap<>();
    private final Map<ExecutorId, Executor> executors = new LinkedHashMap<>();
    private final Map<Long, Running> running = new LinkedHashMap<>();
    private List<SchedulerEffect> effects = new ArrayList<>();
    private long tasksMade;

    TaskScheduler(int failuresMax) {
        this.failuresMax = failuresMax;
    }

    /** A running attempt. A job that has ended leaves its attempts running until they report: their cores are not free. */
    private record Running(long job, int partition, ExecutorId executor) {}

    private static final class Executor {
        private final String host;
        private final int cores;
        private final Set<TemplateId> known = new LinkedHashSet<>();
        private int free;
        private boolean suspended;

        Executor(String host, int cores) {
            this.host = host;
            this.cores = cores;
            this.free = cores;
        }
    }

    void submit(long job, TemplateId template, StageTemplate body, List<Bytes> inputs) {
        TaskSet set = new TaskSet(job, template, body, inputs);
        if (set.isDone()) {
            effects.add(new SchedulerEffect.Completed(job, List.of()));
        } else if (jobs.putIfAbsent(job, set) != null) {
            throw new IllegalStateException("job " + job + ": submitted twice (expected: once)");
        }
    }

    void executorUp(ExecutorId executor, String host, int cores) {
        if (executors.putIfAbsent(executor, new Executor(host, cores)) != null) {
            throw new IllegalStateException("executor " + executor + ": up twice (expected: once)");
        }
    }

    /** Gives an executor no further tasks; those it has go on, as far as anybody knows. */
    void suspend(ExecutorId executor) {
        Executor known = executors.get(executor);
        if (known != null) {
            known.suspended = true;
        }
    }

    void executorLost(ExecutorId executor, LostExecutor why) {
        if (executors.remove(executor) == null) {
            return;
        }
        List<Map.Entry<Long, Running>> orphans = running.entrySet().stream()
                .filter(entry -> entry.getValue().executor().equals(executor))
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
        for (Map.Entry<Long, Running> orphan : orphans) {
            running.remove(orphan.getKey());
            TaskSet set = jobs.get(orphan.getValue().job());
            if (set != null && !why.cause().chargesTasks()) {
                set.putBack(orphan.getValue().partition());
            } else if (set != null) {
                attemptFailed(set, orphan.getValue(), new TaskFailure("executor lost: " + why, List.of()));
            }
        }
    }

    void taskEnded(ExecutorId executor, TaskUpdate update) {
        Running attempt = running.get(update.task());
        if (attempt == null || !attempt.executor().equals(executor)) {
            return; // an executor that was given up speaks again: its tasks already run elsewhere
        }
        running.remove(update.task());
        executors.get(executor).free++;
        TaskSet set = jobs.get(attempt.job());
        if (set == null) {
            return; // its job has ended meanwhile
        }
        if (update.outcome() == Outcome.SUCCEEDED) {
            set.succeed(attempt.partition(), update.value());
            if (set.isDone()) {
                end(set, new SchedulerEffect.Completed(set.job(), set.values()));
            }
        } else {
            attemptFailed(set, attempt, update.failure());
        }
    }

    /** Ends a job; does nothing when it has ended already. */
    void cancel(long job, HearthException why) {
        TaskSet set = jobs.get(job);
        if (set != null) {
            end(set, new SchedulerEffect.Failed(job, why));
        }
    }

    void cancelAll(HearthException why) {
        List.copyOf(jobs.keySet()).forEach(job -> cancel(job, why));
    }

    /** Gives free cores to waiting tasks, and returns everything to be done since the last call, in order. */
    List<SchedulerEffect> settle() {
        for (TaskSet set : jobs.values()) {
            if (set.hasWaiting()) {
                offer(set);
            }
        }
        List<SchedulerEffect> settled = effects;
        effects = new ArrayList<>();
        return settled;
    }

    int cores() {
        return executors.values().stream().mapToInt(executor -> executor.cores).sum();
    }

    int runningTasks() {
        return running.size();
    }

    int activeJobs() {
        return jobs.size();
    }

    boolean isWaiting() {
        return jobs.values().stream().anyMatch(TaskSet::hasWaiting);
    }

    /** Spreads waiting tasks over the executors, one core at a time around, then sends each executor one batch. */
    private void offer(TaskSet set) {
        Map<ExecutorId, List<TaskLaunch>> batches = new LinkedHashMap<>();
        boolean given = true;
        while (given && set.hasWaiting()) {
            given = false;
            for (Map.Entry<ExecutorId, Executor> entry : executors.entrySet()) {
                Executor executor = entry.getValue();
                if (executor.free > 0 && !executor.suspended && set.hasWaiting()) {
                    TaskLaunch launch = set.next(tasksMade++);
                    executor.free--;
                    running.put(launch.task(), new Running(set.job(), launch.partition(), entry.getKey()));
                    batches.computeIfAbsent(entry.getKey(), id -> new ArrayList<>())
                            .add(launch);
                    given = true;
                }
            }
        }
        batches.forEach((executor, launches) -> {
            if (executors.get(executor).known.add(set.template())) {
                effects.add(new SchedulerEffect.Define(executor, set.template(), set.body()));
            }
            effects.add(new SchedulerEffect.Launch(executor, set.template(), launches));
        });
    }

    private void attemptFailed(TaskSet set, Running attempt, TaskFailure failure) {
        int failures = set.fail(attempt.partition());
        if (failures >= failuresMax) {
            String where = host(attempt.executor());
            HearthException why = ErrorCode.TASK_FAILED.failure(
                    "task for partition " + attempt.partition() + " of job " + set.job() + ": failed " + failures
                            + (failures == 1 ? " time" : " times") + ", last on executor " + attempt.executor() + where
                            + ": " + failure.text() + " (expected: success within hearth.task.maxFailures="
                            + failuresMax + ")",
                    new RemoteTaskException(
                            failure.text(),
                            failure.frames().stream().map(Frame::element).toList()));
            end(set, new SchedulerEffect.Failed(set.job(), why));
        }
    }

    private String host(ExecutorId executor) {
        @Nullable Executor known = executors.get(executor);
        return known == null ? "" : " (" + known.host + ")";
    }

    private void end(TaskSet set, SchedulerEffect how) {
        jobs.remove(set.job());
        running.forEach((task, attempt) -> {
            if (attempt.job() == set.job()) {
                effects.add(new SchedulerEffect.Kill(attempt.executor(), task));
            }
        });
        if (jobs.values().stream().noneMatch(other -> other.template().equals(set.template()))) {
            executors.forEach((id, executor) -> {
                if (executor.known.remove(set.template())) {
                    effects.add(new SchedulerEffect.Forget(id, set.template()));
                }
            });
        }
        effects.add(how);
    }
}
