package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.PreferredHosts;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Task scheduler of one application: decides which task attempt runs on which executor, and when. A state machine: its
 * methods take events; {@link #settle} assigns free cores to pending tasks; {@link #drain} returns the effects in
 * order. No method blocks; the time is an argument. Owned by the driver's event loop.
 * <p>Invariants: an executor has no more attempts than its slots and its credit for queued tasks allow. A partition
 * succeeds once, and the end of each task set is reported once, by {@link SchedulerEffect.Drained}.
 */
public final class TaskScheduler {
    private final SchedulerSettings settings;
    private final PoolTree pools;
    private final Function<String, Optional<String>> racks;
    private final SchedulerEffects effects = new SchedulerEffects();
    private final ExecutorSet executors;
    private final AttemptTable attempts = new AttemptTable();
    private final Map<TaskSetId, TaskSet> sets = new LinkedHashMap<>(); // task sets that are not drained
    private final DefinedPlans plans;
    private final TaskLauncher launcher;
    private final QueuedTaskRecall recalls;
    private final LossExplanations explanations = new LossExplanations();
    private final ApplicationExclusion exclusion;
    private final AttemptCompletion endings;
    private final UnschedulableTaskSets unschedulable;
    private final Speculation speculation;
    private final ResourceOffers offers;
    private OptionalLong wake = OptionalLong.empty();
    private boolean held; // no task may be launched yet

    public TaskScheduler(SchedulerSettings settings, PoolTree pools) {
        this(settings, pools, host -> Optional.empty());
    }

    /**
     * Creates the scheduler of one application. The function {@code racks} returns the rack of a host, or empty if the
     * rack is unknown. If it becomes known later, {@link #racksFound} must be called.
     */
    public TaskScheduler(SchedulerSettings settings, PoolTree pools, Function<String, Optional<String>> racks) {
        this.settings = settings;
        this.pools = pools;
        this.racks = racks;
        this.executors = new ExecutorSet(settings.needs(), effects::began);
        this.plans = new DefinedPlans(effects, executors);
        this.launcher = new TaskLauncher(effects, executors, attempts, plans);
        this.recalls = new QueuedTaskRecall(executors, effects);
        this.exclusion = new ApplicationExclusion(settings, executors, effects);
        this.endings = new AttemptCompletion(settings, sets, effects, plans, exclusion, explanations);
        this.unschedulable = new UnschedulableTaskSets(settings, effects, endings);
        this.speculation = new Speculation(settings.speculation(), effects);
        this.offers = new ResourceOffers(pools, executors, launcher);
    }

    /**
     * Sets how starts of tasks are published: as one event each, which is the default, or only as a sum per task set.
     */
    public void publishTaskStarts(boolean published) {
        effects.publishTaskStarts(published);
    }

    /**
     * Sets whether all launches are held back, because too few executors have registered. Only valid before the first
     * launch.
     */
    public void hold(boolean launchesHeld) {
        held = launchesHeld;
    }

    /**
     * Adds a task set to its pool; {@link #settle} launches its tasks. A task set without partitions is reported as
     * {@link SchedulerEffect.Drained} at once.
     */
    public void submit(TaskSetSpec spec, long nowNanos) {
        if (sets.containsKey(spec.id())) {
            throw new IllegalStateException("task set " + spec.id() + ": submitted twice (expected: once)");
        }
        if (spec.partitions().length == 0) {
            effects.add(new SchedulerEffect.Drained(spec.id()));
            return;
        }
        // a queued task would have no address of a resource yet
        ExecutorGroup group = executors.group(spec.plan().profile());
        TaskNeeds needs = needs(spec.plan().profile());
        boolean mayQueue = !spec.plan().barrier() && needs.amounts().isEmpty();
        QueueCredit credit = new QueueCredit(mayQueue ? settings.executorCredit() : 0);
        DefinedPlans.Use use = plans.use(spec.plan());
        TaskSet set = new TaskSet(spec, pools.pool(spec.pool()), use, credit, settings, group, needs, racks, nowNanos);

        sets.put(spec.id(), set);
        set.pool().add(set);
    }

    /**
     * Cancels a task set that is no longer needed and kills its running tasks, whose threads are interrupted if
     * {@code interrupt} is set. Does nothing if the set has already been reported as {@link SchedulerEffect.Drained}.
     */
    public void cancel(TaskSetId id, boolean interrupt, String reason) {
        TaskSet set = sets.get(id);
        if (set != null) {
            endings.cancel(set, interrupt, reason);
        }
    }

    /**
     * Kills the task attempt with the id {@code task}. Its partition runs again in a new attempt. Returns false if no
     * such attempt runs.
     */
    public boolean killTask(long task, boolean interrupt, String reason) {
        Attempt attempt = attempts.find(task);
        if (attempt == null) {
            return false;
        }
        endings.kill(attempt, interrupt, reason);
        return true;
    }

    private TaskNeeds needs(TaskProfile profile) {
        return profile.isDefault() ? settings.needs() : profile.needs();
    }

    /** Prepares for task sets of {@code profile}, so that executors are requested for jobs that wait for slots. */
    public void use(TaskProfile profile) {
        executors.group(profile);
    }

    /** Adds an executor of the default profile without resources. */
    public void executorUp(ExecutorId id, String host, int cores, long nowNanos) {
        executorUp(id, host, cores, Map.of(), TaskProfile.DEFAULT, nowNanos);
    }

    /** Adds an executor of a profile, with the addresses of its resources. */
    public void executorUp(
            ExecutorId id,
            String host,
            int cores,
            Map<String, ResourceInformation> resources,
            TaskProfile profile,
            long nowNanos) {
        exclusion.executorUp(executors.add(id, host, cores, resources, executors.group(profile), nowNanos));
        executorsChanged();
    }

    /** Handles racks of these hosts that were unknown when tasks that prefer these hosts were submitted. */
    public void racksFound(Collection<String> hosts) {
        sets.values().forEach(set -> set.racksFound(hosts));
    }

    /**
     * Stops launching tasks on an executor, for instance while it is unreachable. The tasks that it already has
     * continue.
     */
    public void suspend(ExecutorId id) {
        Executor executor = executors.find(id);
        if (executor != null) {
            executors.suspend(executor);
        }
    }

    /**
     * Stops launching tasks on an executor that is being decommissioned, and recalls the attempts that are queued
     * there.
     */
    public void decommission(ExecutorId id) {
        Executor executor = executors.find(id);
        if (executor != null) {
            executors.decommission(executor, true);
            recalls.recallAll(executor);
        }
    }

    /** Launches tasks again on an executor that was being decommissioned. Does nothing if it was not. */
    public void recommission(ExecutorId id) {
        Executor executor = executors.find(id);
        if (executor != null) {
            executors.decommission(executor, false);
            executorsChanged();
        }
    }

    /**
     * Handles the loss of an executor: its attempts run again elsewhere. An attempt that had begun counts as a failure
     * of its task, if the cause of the loss charges tasks (preemption, for example, does not).
     */
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
            Charge charge = attempt.begun ? Charge.of(why.cause()) : Charge.NONE;
            TaskEnd end = TaskEnd.ended(attempt.task, TaskOutcome.EXECUTOR_LOST, failure, TaskMetrics.NONE);
            ended(attempt, end, charge, nowNanos);
        }
    }

    /**
     * Records the reason of a loss that was reported after the loss itself. If a task that ran on the executor fails
     * for good later, its failure names this reason.
     */
    public void explainLoss(ExecutorId id, String reason) {
        explanations.add(id, reason);
    }

    /**
     * Handles the end of an attempt. Ignores the report if the attempt is unknown or was launched on an executor other
     * than {@code id}.
     */
    public void updated(ExecutorId id, TaskEnd end, long nowNanos) {
        Attempt attempt = attempts.find(end.task());
        if (attempt != null && attempt.executor.id().equals(id)) {
            Charge charge = end.outcome() == TaskOutcome.FAILED ? Charge.TASK_AND_HOST : Charge.NONE;
            ended(attempt, end, charge, nowNanos);
        }
    }

    /**
     * Handles the report that a task has begun. Until such a report arrives, the scheduler assumes that tasks begin in
     * queue order, one per core.
     */
    public void taskStarted(ExecutorId id, long task, long nowNanos) {
        Attempt attempt = attempts.find(task);
        if (attempt != null && attempt.executor.id().equals(id)) {
            attempt.executor.began(attempt, nowNanos);
        }
    }

    /**
     * Updates the number of records that a running task has read, from which speculation judges the task's speed
     * ({@code hearth.speculation.efficiency.*}).
     */
    public void progressed(ExecutorId id, long task, long recordsRead) {
        Attempt attempt = attempts.find(task);
        if (attempt != null && attempt.executor.id().equals(id)) {
            attempt.recordsRead = recordsRead;
        }
    }

    /**
     * Assigns free cores to pending tasks and handles everything that is due. {@code nowNanos} and {@code nowMillis}
     * are readings of the monotonic and the wall clock at the same moment.
     */
    public void settle(long nowNanos, long nowMillis) {
        effects.clocks(nowNanos, nowMillis);
        if (held) {
            wake = OptionalLong.empty();
            return;
        }
        launcher.begin(nowNanos, nowMillis);
        exclusion.readmit(nowNanos);
        speculation.search(sets.values(), nowNanos);
        offers.make(nowNanos);
        wake = Deadlines.earlier(exclusion.wakeNanos(), speculation.wakeNanos(sets.values()));
        if (exclusion.isActive()) {
            wake = Deadlines.earlier(wake, unschedulable.check(sets, nowNanos));
        }
        if (executors.free() > 0) {
            boolean waiting = false;
            for (TaskSet set : sets.values()) {
                LocalityWait wait = set.localityWait();
                waiting |= set.pending() > 0 && !set.isBarrier() && set.group().free() > 0;
                if (wait != null && set.pending() > 0 && !set.isBarrier()) {
                    wake = Deadlines.earlier(wake, wait.wakeNanos());
                }
            }
            wake = waiting ? wake : Deadlines.earlier(wake, recalls.recallLate(nowNanos));
        }
    }

    /** Removes and returns the effects of all events since the last call of this method, in order. */
    public List<SchedulerEffect> drain() {
        return effects.drain();
    }

    /**
     * The monotonic time by which {@link #settle} must be called again, as the last call computed it. Empty if only an
     * event requires a call.
     */
    public OptionalLong nextWakeNanos() {
        return wake;
    }

    public int cores() {
        return executors.cores();
    }

    /** Number of tasks of {@code profile} that its executors together run at the same time. */
    public int slots(TaskProfile profile) {
        return executors
                .group(profile.executors())
                .map(group -> group.slots(needs(profile)))
                .orElse(0);
    }

    /** Number of tasks that an executor of {@code profile} with these cores and resources runs at the same time. */
    public int slots(TaskProfile profile, int cores, Map<String, ResourceInformation> resources) {
        return needs(profile).slotsOf(cores, resources);
    }

    public int executors() {
        return executors.all().size();
    }

    /** Number of attempts, of all task sets, that executors run or queue. */
    public int runningTasks() {
        return attempts.size();
    }

    /**
     * Number of pending partitions of all task sets. A partition is pending if it has not succeeded and no executor has
     * an attempt at it.
     */
    public long waitingTasks() {
        return sets.values().stream().mapToLong(TaskSet::pending).sum();
    }

    /** Whether the executor is registered and runs or queues at least one attempt. */
    public boolean isBusy(ExecutorId id) {
        Executor executor = executors.find(id);
        return executor != null && executor.held() > 0;
    }

    /**
     * The current load of the executors of {@code profile}, as input of dynamic allocation. {@code slots} is the number
     * of slots that the largest waiting barrier job needs in total; 0 if none waits.
     */
    public SchedulerLoad load(int profile, int slots) {
        long queued = executors.queueing().stream()
                .filter(executor -> executor.group().profile() == profile)
                .mapToLong(Executor::queued)
                .sum();
        long copies = 0;
        long waiting = 0;
        int gang = slots;
        for (TaskSet set : sets.values()) {
            if (set.group().profile() == profile) {
                waiting += set.pending();
                copies += set.isOpen() ? set.speculatable().size() : 0;
                gang = Math.max(gang, set.isOpen() && set.isBarrier() ? set.size() : 0);
            }
        }
        return new SchedulerLoad(held(profile), queued, waiting, copies, gang);
    }

    /** Ids of the profiles that have executors of their own, the default one first, as far as tasks of them are known. */
    public List<Integer> profiles() {
        return executors.groups().stream().map(ExecutorGroup::profile).toList();
    }

    private long held(int profile) {
        return executors.group(profile).map(ExecutorGroup::held).orElse(0);
    }

    /** The hosts that pending tasks on executors of {@code profile} prefer, as hints for cluster managers. */
    public PreferredHosts preferredHosts(int profile) {
        int tasks = 0;
        Map<String, Integer> byHost = new LinkedHashMap<>();
        for (TaskSet set : sets.values()) {
            PreferredHostCounts counts = set.group().profile() == profile ? set.hosts() : null;
            if (counts != null) {
                tasks += counts.tasks();
                counts.addTo(byHost);
            }
        }
        return tasks == 0 ? PreferredHosts.NONE : new PreferredHosts(tasks, byHost);
    }

    /**
     * The activity of each executor of {@code profile} that may get tasks, as input of dynamic allocation. Unreachable
     * and decommissioned executors are omitted.
     */
    public List<ExecutorActivity> executorActivity(int profile) {
        return executors.group(profile).map(ExecutorGroup::members).orElse(List.of()).stream()
                .filter(executor -> !executor.suspended && !executor.decommissioning)
                .map(each -> new ExecutorActivity(each.id(), each.slots(), each.held() > 0, each.progressNanos()))
                .toList();
    }

    /** Whether tasks wait and no task runs on the executors of their profile. */
    public boolean isStarving() {
        return sets.values().stream()
                .anyMatch(set -> set.wantsCores() && set.group().held() == 0);
    }

    /** Number of task sets that are not yet reported as {@link SchedulerEffect.Drained}. */
    public int taskSets() {
        return sets.size();
    }

    public List<PoolSnapshot> pools() {
        return pools.view();
    }

    private void ended(Attempt attempt, TaskEnd end, Charge charge, long now) {
        TaskSet set = attempt.set;
        effects.publishStart(attempt); // publishes a start that is not published yet, so that it precedes the end
        boolean success = end.outcome() == TaskOutcome.SUCCEEDED;
        long ran = now - attempt.begunNanos;
        attempts.remove(attempt);
        recalls.ended(attempt);
        executors.ended(attempt.executor, attempt, now);
        set.removeRunning(attempt, success);
        if (success) {
            set.credit().addRunTime(end.metrics().runNanos());
            RunTimeHistogram times = set.runTimes();
            if (times != null) {
                times.add(attempt.begun ? ran : 0, end.metrics().recordsRead());
            }
        }
        endings.ended(attempt, end, charge, now);
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
