package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Which task runs where and when. A state machine: events come in by its methods, {@link #settle} gives free cores to waiting
 * tasks, {@link #drain} hands out what is to be done, in order; nothing blocks, time is an argument, iteration is in order.
 * <p>Invariants: an executor holds no more attempts than cores and credit allow; a partition succeeds once; every set is
 * drained once. Owned by the driver's shell.
 */
public final class TaskScheduler {
    private final SchedulerSettings settings;
    private final PoolTree pools;
    private final Function<String, Optional<String>> racks;
    private final SchedulerEffects effects = new SchedulerEffects();
    private final ExecutorSet executors = new ExecutorSet();
    private final AttemptTable attempts = new AttemptTable();
    private final Map<TaskSetId, TaskSet> sets = new LinkedHashMap<>(); // until drained
    private final DefinedPlans plans = new DefinedPlans(effects, executors);
    private final TaskLauncher launcher = new TaskLauncher(effects, executors, attempts, plans);
    private final QueuedTaskRecall recalls = new QueuedTaskRecall(executors, effects);
    private final ApplicationExclusion exclusion;
    private final AttemptCompletion endings;
    private final UnschedulableTaskSets unschedulable;
    private final Speculation speculation;
    private final ResourceOffers offers;
    private OptionalLong wake = OptionalLong.empty();

    public TaskScheduler(SchedulerSettings settings, PoolTree pools) {
        this(settings, pools, host -> Optional.empty());
    }

    /** {@code racks} tells the rack of a host, where it is known. */
    public TaskScheduler(SchedulerSettings settings, PoolTree pools, Function<String, Optional<String>> racks) {
        this.settings = settings;
        this.pools = pools;
        this.racks = racks;
        this.exclusion = new ApplicationExclusion(settings, executors, effects);
        this.endings = new AttemptCompletion(settings, sets, effects, plans, exclusion);
        this.unschedulable = new UnschedulableTaskSets(settings, executors, effects, endings);
        this.speculation = new Speculation(settings.speculation(), executors, effects);
        this.offers = new ResourceOffers(pools, executors, launcher);
    }

    /** Whether starts of tasks are told; at first they are. */
    public void tellTasks(boolean telling) {
        effects.tellTasks(telling);
    }

    /** Takes a set; one without partitions is drained at once. */
    public void submit(TaskSetSpec spec, long nowNanos) {
        if (sets.containsKey(spec.id())) {
            throw new IllegalStateException("task set " + spec.id() + ": submitted twice (expected: once)");
        }
        if (spec.partitions().length == 0) {
            effects.add(new SchedulerEffect.Drained(spec.id()));
            return;
        }
        QueueCredit credit = new QueueCredit(spec.plan().barrier() ? 0 : settings.executorCredit());
        DefinedPlans.Use use = plans.use(spec.plan());
        TaskSet set = new TaskSet(spec, pools.pool(spec.pool()), use, credit, settings, executors, racks, nowNanos);
        speculation.submitted(set);
        sets.put(spec.id(), set);
        set.pool().add(set);
    }

    /** Ends a set that is not needed any more; does nothing when it is over and drained. */
    public void cancel(TaskSetId id, boolean interrupt, String reason) {
        TaskSet set = sets.get(id);
        if (set != null) {
            endings.cancel(set, interrupt, reason);
        }
    }

    /** Tells one attempt to end, and runs its partition again; false when there is no such attempt. */
    public boolean killTask(long task, boolean interrupt, String reason) {
        Attempt attempt = attempts.find(task);
        if (attempt == null) {
            return false;
        }
        endings.kill(attempt, interrupt, reason);
        return true;
    }

    public void executorUp(ExecutorId id, String host, int cores, long nowNanos) {
        exclusion.executorUp(executors.add(id, host, cores, nowNanos));
        executorsChanged();
    }

    /** Gives an executor no further tasks; those it has go on, as far as anybody knows. */
    public void suspend(ExecutorId id) {
        Executor executor = executors.find(id);
        if (executor != null) {
            executors.suspend(executor);
        }
    }

    /** As {@link #suspend}; what waits on the executor for a core is taken back, too. */
    public void leave(ExecutorId id) {
        Executor executor = executors.find(id);
        if (executor != null) {
            executors.suspend(executor);
            recalls.leave(executor);
        }
    }

    /** What it held runs elsewhere; what had begun there is charged with a failure if the loss may be its own fault. */
    public void executorLost(ExecutorId id, LostExecutor why, long nowNanos) {
        Executor executor = executors.find(id);
        if (executor == null) {
            return;
        }
        executors.remove(executor);
        exclusion.executorLost(id);
        executorsChanged();
        TaskFailure failure = TaskFailure.of("executor lost: " + why);
        for (Attempt attempt = executor.oldest(); attempt != null; attempt = executor.oldest()) {
            boolean charged = why.cause().chargesTasks() && attempt.begun;
            TaskEnd end = TaskEnd.ended(attempt.task, TaskOutcome.EXECUTOR_LOST, failure, TaskMetrics.NONE);
            ended(attempt, end, charged, nowNanos);
        }
    }

    /** How an attempt ended; one that is not known, or not of this executor, is of no interest any more. */
    public void updated(ExecutorId id, TaskEnd end, long nowNanos) {
        Attempt attempt = attempts.find(end.task());
        if (attempt != null && attempt.executor.id().equals(id)) {
            ended(attempt, end, end.outcome() == TaskOutcome.FAILED, nowNanos);
        }
    }

    /** An executor says that it has begun a task; without this it is taken to begin them in order, one per core. */
    public void taskStarted(ExecutorId id, long task, long nowNanos) {
        Attempt attempt = attempts.find(task);
        if (attempt != null && attempt.executor.id().equals(id)) {
            attempt.executor.began(attempt, nowNanos);
        }
    }

    /** What a running task has read so far; tells efficient tasks from slow ones. */
    public void progressed(ExecutorId id, long task, long recordsRead) {
        Attempt attempt = attempts.find(task);
        if (attempt != null && attempt.executor.id().equals(id)) {
            attempt.recordsRead = recordsRead;
        }
    }

    /** Gives cores to tasks and does what time demands. The two clocks are those of one moment. */
    public void settle(long nowNanos, long nowMillis) {
        effects.clocks(nowNanos, nowMillis);
        launcher.begin(nowNanos, nowMillis);
        exclusion.readmit(nowNanos);
        speculation.look(sets.values(), nowNanos);
        offers.make(nowNanos);
        wake = Deadlines.earlier(exclusion.wakeNanos(), speculation.wakeNanos(sets.values()));
        if (exclusion.isActive()) {
            wake = Deadlines.earlier(wake, unschedulable.look(sets, nowNanos));
        }
        if (executors.free() > 0) {
            boolean waiting = false;
            for (TaskSet set : sets.values()) {
                LocalityWait wait = set.localityWait();
                waiting |= set.pending() > 0 && !set.isBarrier();
                if (wait != null && set.pending() > 0 && !set.isBarrier()) {
                    wake = Deadlines.earlier(wake, wait.wakeNanos());
                }
            }
            wake = waiting ? wake : Deadlines.earlier(wake, recalls.look(nowNanos));
        }
    }

    /** Everything to be done since the last call, in order. */
    public List<SchedulerEffect> drain() {
        return effects.drain();
    }

    /** When {@link #settle} must be called again though nothing happens; as it was after the last one. */
    public OptionalLong nextWakeNanos() {
        return wake;
    }

    public int cores() {
        return executors.cores();
    }

    public int executors() {
        return executors.all().size();
    }

    /** Attempts that executors hold, running or queued there. */
    public int runningTasks() {
        return attempts.size();
    }

    /** Partitions that wait for a core. */
    public long waitingTasks() {
        return sets.values().stream().mapToLong(TaskSet::pending).sum();
    }

    /** Whether an executor that is there holds attempts. */
    public boolean isBusy(ExecutorId id) {
        Executor executor = executors.find(id);
        return executor != null && executor.held() > 0;
    }

    /** What there is to do by now; {@code slots} is what jobs need at the same time that have not begun for want of them. */
    public SchedulerLoad load(int slots) {
        long queued = executors.queueing().stream().mapToLong(Executor::queued).sum();
        long copies = 0;
        int gang = slots;
        for (TaskSet set : sets.values()) {
            copies += set.isOpen() ? set.slow().size() : 0;
            gang = Math.max(gang, set.isOpen() && set.isBarrier() ? set.size() : 0);
        }
        return new SchedulerLoad(attempts.size(), queued, waitingTasks(), copies, gang);
    }

    /** The executors that are given tasks. */
    public List<ExecutorActivity> seen() {
        return executors.all().stream()
                .filter(executor -> !executor.suspended)
                .map(each -> new ExecutorActivity(each.id(), each.cores(), each.held() > 0, each.progressNanos()))
                .toList();
    }

    public boolean isWaiting() {
        return sets.values().stream().anyMatch(TaskSet::wantsCores);
    }

    /** Sets that are not drained. */
    public int taskSets() {
        return sets.size();
    }

    public List<PoolSnapshot> pools() {
        return pools.view();
    }

    private void ended(Attempt attempt, TaskEnd end, boolean charged, long now) {
        TaskSet set = attempt.set;
        boolean success = end.outcome() == TaskOutcome.SUCCEEDED;
        long ran = now - attempt.begunNanos;
        attempts.remove(attempt);
        recalls.ended(attempt);
        executors.ended(attempt.executor, attempt, now);
        set.removeRunning(attempt, success);
        if (success) {
            set.credit().ran(end.metrics().runNanos());
            if (set.runTimes != null) {
                set.runTimes.add(attempt.begun ? ran : 0, end.metrics().recordsRead());
            }
        }
        endings.ended(attempt, end, charged, now);
    }

    private void executorsChanged() {
        for (TaskSet set : sets.values()) {
            LocalityWait wait = set.localityWait();
            if (wait != null) {
                wait.executorsChanged();
            }
        }
    }
}
