package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one stage attempt and their states: pending, running or done. A task is pending if it has not succeeded
 * and no attempt at it runs. The arrays take a few bytes per task. Owned by {@link TaskScheduler}, from its submission
 * until no attempt runs any more.
 */
final class TaskSet {
    static final int NONE = -1;

    private static final int DONE = 1;
    private static final int ATTEMPT = 2; // added to a task's state for each running attempt
    private static final int FIRST_ROOM = 8;

    private final TaskSetSpec spec;
    private final Pool pool;
    private final DefinedPlans.Use planUse;
    private final QueueCredit credit;
    private final ExecutorGroup group;
    private final TaskNeeds needs;
    private final byte[] states;
    private int @Nullable [] attempts; // attempts started per partition; null until one needs a second attempt
    private int @Nullable [] failures; // failures per partition; null until a partition fails
    private final @Nullable PendingTasksByLocality preferences;
    private final @Nullable LocalityWait wait;
    private final @Nullable PreferredHostCounts hosts;
    private final IntList toRetry = new IntList(); // partitions to retry; the last one added is taken first
    private final List<Attempt> speculatable = new ArrayList<>(); // slow attempts that wait for a speculative copy
    private @Nullable Attempt[] running = new @Nullable Attempt[FIRST_ROOM];
    private int runningTasks;
    private int started; // attempts that began and are published as a sum
    private int untried; // partitions from this index on have no attempt yet
    private int pending;
    private int succeeded;
    private long resultBytes;
    private Locality takenAt = Locality.ANY;
    private TaskSetState phase = TaskSetState.OPEN;
    private @Nullable TaskSetExclusion exclusion; // null until a task fails while exclusion is enabled
    private final @Nullable RunTimeHistogram runTimes; // null without speculation
    private OptionalLong unschedulableSince = OptionalLong.empty();
    private Map<Integer, List<ExecutorId>> losses = Map.of(); // lost executors by partition that failed with them

    TaskSet(
            TaskSetSpec spec,
            Pool pool,
            DefinedPlans.Use planUse,
            QueueCredit credit,
            SchedulerSettings settings,
            ExecutorGroup group,
            TaskNeeds needs,
            Function<String, Optional<String>> racks,
            long now) {
        this.spec = spec;
        this.pool = pool;
        this.planUse = planUse;
        this.credit = credit;
        this.group = group;
        this.needs = needs;
        this.states = new byte[spec.partitions().length];
        this.pending = states.length;
        this.runTimes = settings.speculation().enabled() && !isBarrier() ? new RunTimeHistogram() : null;
        this.preferences = PendingTasksByLocality.of(spec, racks).orElse(null);
        this.hosts = preferences == null ? null : new PreferredHostCounts(preferences, states.length);
        this.wait = preferences == null
                ? null
                : new LocalityWait(settings.locality(), preferences, group, this::isPending, now);
    }

    TaskSetSpec spec() {
        return spec;
    }

    TaskSetId id() {
        return spec.id();
    }

    Pool pool() {
        return pool;
    }

    DefinedPlans.Use planUse() {
        return planUse;
    }

    QueueCredit credit() {
        return credit;
    }

    /** The executors that may run the tasks of this set. */
    ExecutorGroup group() {
        return group;
    }

    /** Needs of each task. */
    TaskNeeds needs() {
        return needs;
    }

    TaskSetState phase() {
        return phase;
    }

    boolean isOpen() {
        return phase == TaskSetState.OPEN;
    }

    boolean isBarrier() {
        return spec.plan().barrier();
    }

    int partition(int index) {
        return spec.partitions()[index];
    }

    int size() {
        return states.length;
    }

    int succeeded() {
        return succeeded;
    }

    boolean isDone() {
        return succeeded == states.length;
    }

    boolean isDone(int index) {
        return (states[index] & DONE) != 0;
    }

    int runningTasks() {
        return runningTasks;
    }

    Attempt running(int place) {
        Attempt attempt = running[place];
        if (attempt == null) {
            throw new IllegalStateException("task set " + id() + ": nothing runs at " + place);
        }
        return attempt;
    }

    /** Number of pending partitions. Returns 0 unless the task set is open, because only open sets launch tasks. */
    int pending() {
        return isOpen() ? pending : 0;
    }

    List<Attempt> speculatable() {
        return speculatable;
    }

    boolean wantsCores() {
        return isOpen() && (pending > 0 || !speculatable.isEmpty());
    }

    void moveTo(TaskSetState next) {
        if (!phase.leadsTo(next)) {
            throw new IllegalStateException("task set " + id() + ": " + phase + " does not lead to " + next);
        }
        phase = next;
        speculatable.clear();
    }

    /**
     * The executors and hosts that are excluded for this task set. Null until a task fails while exclusion is enabled.
     */
    @Nullable
    TaskSetExclusion exclusion() {
        return exclusion;
    }

    /**
     * The exclusions of this task set: the executors and hosts that get no more of its tasks. The first call, after the
     * first failure of a task, creates them.
     */
    TaskSetExclusion startExclusion(ExclusionSettings settings) {
        if (exclusion == null) {
            exclusion = new TaskSetExclusion(settings);
        }
        return exclusion;
    }

    /**
     * Run times of the successful tasks of this task set, from which speculation finds slow tasks; null if speculation
     * is disabled.
     */
    @Nullable
    RunTimeHistogram runTimes() {
        return runTimes;
    }

    /** The time since which some task of this set is excluded from all executors. Empty while there is no such task. */
    OptionalLong unschedulableSince() {
        return unschedulableSince;
    }

    void markUnschedulable(long now) {
        unschedulableSince = OptionalLong.of(now);
    }

    void markSchedulable() {
        unschedulableSince = OptionalLong.empty();
    }

    @Nullable
    LocalityWait localityWait() {
        return wait;
    }

    /** Handles racks of these hosts that have become known. */
    void racksFound(Collection<String> found) {
        if (preferences != null && wait != null) {
            preferences.racksFound(found);
            wait.racksFound();
        }
    }

    /**
     * Up-to-date counts of the pending tasks by preferred host. Null if no task has a preferred host, or if the set
     * launches no more tasks.
     */
    @Nullable
    PreferredHostCounts hosts() {
        if (hosts == null || !isOpen()) {
            return null;
        }
        hosts.update(states);
        return hosts;
    }

    /**
     * Whether tasks of this set may run on {@code executor}, that is, the executor is not excluded for the whole set.
     */
    boolean admits(Executor executor) {
        return exclusion == null || exclusion.admits(executor);
    }

    boolean admits(Executor executor, int index) {
        return exclusion == null || exclusion.admits(executor, index);
    }

    /**
     * Takes a pending partition for {@code executor} at locality level {@code farthest} or nearer, nearest first.
     * Returns its index, or {@link #NONE} if there is none. {@link #takenAt} then returns the level of this partition.
     * At {@code NO_PREF}, takes only partitions without preferred locations.
     */
    int take(Executor executor, Locality farthest) {
        if (pending == 0) {
            return NONE;
        }
        if (preferences == null) {
            takenAt = Locality.NO_PREF;
            return takeAny(executor);
        }
        if (farthest == Locality.NO_PREF) {
            return takeFrom(preferences.noPreference(), executor, Locality.NO_PREF);
        }
        int index = takeFrom(preferences.onExecutor(executor), executor, Locality.PROCESS_LOCAL);
        if (index == NONE && farthest.admits(Locality.NODE_LOCAL)) {
            index = takeFrom(preferences.onHost(executor), executor, Locality.NODE_LOCAL);
        }
        if (index == NONE && farthest.admits(Locality.NO_PREF)) {
            index = takeFrom(preferences.noPreference(), executor, Locality.NO_PREF);
        }
        if (index == NONE && farthest.admits(Locality.RACK_LOCAL)) {
            index = takeFrom(preferences.onRack(executor), executor, Locality.RACK_LOCAL);
        }
        if (index == NONE && farthest == Locality.ANY) {
            takenAt = Locality.ANY;
            index = takeAny(executor);
        }
        return index;
    }

    Locality takenAt() {
        return takenAt;
    }

    private int takeFrom(@Nullable IntList list, Executor executor, Locality level) {
        if (list == null) {
            return NONE;
        }
        takenAt = level;
        for (int at = list.size() - 1; at >= 0; at--) {
            int index = list.at(at);
            boolean waits = isPending(index);
            if (!waits || admits(executor, index)) {
                list.remove(at);
            }
            if (waits && admits(executor, index)) {
                return index;
            }
        }
        return NONE;
    }

    /**
     * Takes a pending partition for {@code executor}: one to retry if there is any, or else the first that was never
     * tried. Returns its index, or {@link #NONE}.
     */
    private int takeAny(Executor executor) {
        int index = toRetry.isEmpty() ? NONE : takeFrom(toRetry, executor, takenAt);
        while (index == NONE && untried < states.length) {
            int next = untried++;
            // a partition excluded from this executor failed before, so `toRetry` contains it
            if (isPending(next) && admits(executor, next)) {
                index = next;
            }
        }
        return index;
    }

    boolean isPending(int index) {
        return states[index] == 0;
    }

    /** Index of the first pending partition that was never tried, or {@link #NONE} if no such partition is left. */
    int firstPending() {
        while (untried < states.length && !isPending(untried)) {
            untried++;
        }
        return untried < states.length ? untried : NONE;
    }

    /**
     * Indexes of the partitions that must be retried, in order of their failures, latest last. May also include
     * partitions that are no longer pending.
     */
    IntList toRetry() {
        return toRetry;
    }

    /**
     * Records a new running attempt at a partition. Returns the number of this attempt among the attempts at that
     * partition in this task set: 0 for the first.
     */
    int start(int index) {
        if (isPending(index)) {
            pending--;
        } else {
            countAttempts();
        }
        states[index] = (byte) (states[index] + ATTEMPT);
        return attempts == null ? 0 : attempts[index]++;
    }

    /**
     * Begins to count attempts per partition. The counts are needed only once a partition has a second attempt, so
     * memory is saved until then.
     */
    private void countAttempts() {
        if (attempts == null) {
            attempts = new int[states.length];
            for (int index = 0; index < states.length; index++) {
                attempts[index] = states[index] != 0 ? 1 : 0;
            }
        }
    }

    /**
     * Counts the start of an attempt. The count is published as one sum if no listener subscribes to single start
     * events. Returns true at the first start since the last call of {@link #takeStarted}.
     */
    boolean countStarted() {
        return started++ == 0;
    }

    int takeStarted() {
        int taken = started;
        started = 0;
        return taken;
    }

    void addRunning(Attempt attempt) {
        if (runningTasks == running.length) {
            running = Arrays.copyOf(running, runningTasks * 2);
        }
        attempt.runningIndex = runningTasks;
        running[runningTasks++] = attempt;
        pool.addRunning(1);
    }

    void removeRunning(Attempt attempt, boolean success) {
        if (isOpen() && !success) {
            countAttempts(); // the retry needs the next attempt number
        }
        Attempt last = running(--runningTasks);
        running[attempt.runningIndex] = last;
        last.runningIndex = attempt.runningIndex;
        running[runningTasks] = null;
        attempt.runningIndex = NONE;
        pool.addRunning(-1);
        states[attempt.index] = (byte) (states[attempt.index] - ATTEMPT);
        if (attempt.twin != null) {
            attempt.twin.twin = null;
            attempt.twin.speculatable = false; // if the other attempt is still slow, it may get a new copy
        }
    }

    void markDone(int index, long weight) {
        states[index] |= DONE;
        succeeded++;
        resultBytes += weight;
    }

    long resultBytes() {
        return resultBytes;
    }

    /** Counts a failed attempt at a partition. Returns the number of failed attempts at that partition so far. */
    int countFailure(int index) {
        if (failures == null) {
            failures = new int[states.length];
        }
        return ++failures[index];
    }

    /** Records that a partition failed because its executor was lost. */
    void addLoss(int index, ExecutorId executor) {
        if (losses.isEmpty()) {
            losses = new LinkedHashMap<>();
        }
        losses.computeIfAbsent(index, absent -> new ArrayList<>(1)).add(executor);
    }

    /** The executors whose loss ended an attempt at a partition and counted as its failure, in order. */
    List<ExecutorId> losses(int index) {
        return losses.getOrDefault(index, List.of());
    }

    /**
     * Makes a partition pending again after an attempt at it ended, unless the partition is done or another attempt at
     * it still runs.
     */
    void requeue(int index) {
        if (isPending(index)) {
            pending++;
            toRetry.add(index);
            if (preferences != null) {
                preferences.add(index);
            }
        }
    }
}
