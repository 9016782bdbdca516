package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one stage attempt: which wait, which run, which are done. A few bytes each, in arrays. Owned by
 * {@link TaskScheduler} from submission until drained. A partition waits when it is not done and no attempt at it runs.
 */
final class TaskSet {
    static final int NONE = -1;

    private static final int DONE = 1;
    private static final int COPY = 2; // the unit in which running attempts are counted
    private static final int FIRST_ROOM = 8;

    private final TaskSetSpec spec;
    private final Pool pool;
    private final DefinedPlans.Use planUse;
    private final QueueCredit credit;
    private final byte[] states;
    private int @Nullable [] attempts; // started so far; there once any partition needed a second one
    private int @Nullable [] failures; // there once any partition failed
    private final @Nullable PendingTasksByLocality preferences;
    private final @Nullable LocalityWait wait;
    private final IntList again = new IntList(); // put back; last in, first out
    private final List<Attempt> slow = new ArrayList<>(); // to be run a second time elsewhere
    private @Nullable Attempt[] running = new @Nullable Attempt[FIRST_ROOM];
    private int runningTasks;
    private int fresh; // partitions from here on may never have been tried
    private int pending;
    private int succeeded;
    private long resultBytes;
    private Locality takenAt = Locality.ANY;
    private TaskSetState phase = TaskSetState.OPEN;

    @Nullable
    TaskSetExclusion exclusion; // there once a task has failed, if sets exclude

    @Nullable
    RunTimeHistogram runTimes; // there if slow tasks are looked for

    long unschedulableNanos;
    boolean unschedulable; // since unschedulableNanos

    TaskSet(
            TaskSetSpec spec,
            Pool pool,
            DefinedPlans.Use planUse,
            QueueCredit credit,
            SchedulerSettings settings,
            ExecutorSet executors,
            Function<String, Optional<String>> racks,
            long now) {
        this.spec = spec;
        this.pool = pool;
        this.planUse = planUse;
        this.credit = credit;
        this.states = new byte[spec.partitions().length];
        this.pending = states.length;
        this.preferences = PendingTasksByLocality.of(spec, racks).orElse(null);
        this.wait = preferences == null
                ? null
                : new LocalityWait(settings.locality(), preferences, executors, this::isPending, now);
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

    /** How many partitions wait for a core. */
    int pending() {
        return isOpen() ? pending : 0;
    }

    List<Attempt> slow() {
        return slow;
    }

    boolean wantsCores() {
        return isOpen() && (pending > 0 || !slow.isEmpty());
    }

    void become(TaskSetState next) {
        if (!phase.leadsTo(next)) {
            throw new IllegalStateException("task set " + id() + ": " + phase + " does not lead to " + next);
        }
        phase = next;
        slow.clear();
    }

    @Nullable
    LocalityWait localityWait() {
        return wait;
    }

    /** Whether the executor may run tasks of this set at all. */
    boolean admits(Executor executor) {
        return exclusion == null || exclusion.admits(executor);
    }

    boolean admits(Executor executor, int index) {
        return exclusion == null || exclusion.admits(executor, index);
    }

    /**
     * The index of a partition that waits and may run on {@code executor} at {@code farthest} or nearer, nearest first; else
     * {@link #NONE}. {@link #takenAt} tells the level. At {@code NO_PREF} only those that have no preference.
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
            return takeFrom(preferences.anywhere(), executor, Locality.NO_PREF);
        }
        int index = takeFrom(preferences.onExecutor(executor), executor, Locality.PROCESS_LOCAL);
        if (index == NONE && farthest.admits(Locality.NODE_LOCAL)) {
            index = takeFrom(preferences.onHost(executor), executor, Locality.NODE_LOCAL);
        }
        if (index == NONE && farthest.admits(Locality.NO_PREF)) {
            index = takeFrom(preferences.anywhere(), executor, Locality.NO_PREF);
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

    /** Those put back first, then those never tried, in order. */
    private int takeAny(Executor executor) {
        int index = again.isEmpty() ? NONE : takeFrom(again, executor, takenAt);
        while (index == NONE && fresh < states.length) {
            int next = fresh++;
            if (isPending(next) && admits(executor, next)) { // one that is not admitted has failed, and is put back
                index = next;
            }
        }
        return index;
    }

    boolean isPending(int index) {
        return states[index] == 0;
    }

    /** The first partition never tried, if any is left. */
    int firstPending() {
        while (fresh < states.length && !isPending(fresh)) {
            fresh++;
        }
        return fresh < states.length ? fresh : NONE;
    }

    /** Partitions that were put back and wait: those that may have nowhere to run. */
    IntList waitingAgain() {
        return again;
    }

    /** Counts an attempt as running; returns its number among those at the same partition. */
    int start(int index) {
        if (isPending(index)) {
            pending--;
        } else {
            countAttempts();
        }
        states[index] = (byte) (states[index] + COPY);
        return attempts == null ? 0 : attempts[index]++;
    }

    /** While each partition has been tried once at most, nobody needs to count. */
    private void countAttempts() {
        if (attempts == null) {
            attempts = new int[states.length];
            for (int index = 0; index < states.length; index++) {
                attempts[index] = states[index] != 0 ? 1 : 0;
            }
        }
    }

    void addRunning(Attempt attempt) {
        if (runningTasks == running.length) {
            running = Arrays.copyOf(running, runningTasks * 2);
        }
        attempt.place = runningTasks;
        running[runningTasks++] = attempt;
        pool.addRunning(1);
    }

    void removeRunning(Attempt attempt, boolean success) {
        if (isOpen() && !success) {
            countAttempts(); // it may be tried again
        }
        Attempt last = running(--runningTasks);
        running[attempt.place] = last;
        last.place = attempt.place;
        running[runningTasks] = null;
        attempt.place = NONE;
        pool.addRunning(-1);
        states[attempt.index] = (byte) (states[attempt.index] - COPY);
        if (attempt.twin != null) {
            attempt.twin.twin = null;
            attempt.twin.slow = false; // if it still is, it is worth another copy
        }
    }

    void succeed(int index, long weight) {
        states[index] |= DONE;
        succeeded++;
        resultBytes += weight;
    }

    long resultBytes() {
        return resultBytes;
    }

    /** Counts a failure of a partition and returns how many it has had. */
    int fail(int index) {
        if (failures == null) {
            failures = new int[states.length];
        }
        return ++failures[index];
    }

    /** Lets a partition wait again, unless it is done or another attempt at it runs. */
    void putBack(int index) {
        if (isPending(index)) {
            pending++;
            again.add(index);
            if (preferences != null) {
                preferences.add(index);
            }
        }
    }
}
