package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * Delay scheduling for one task set: computes the farthest locality level at which the set accepts executors now. The
 * set waits at each level for the configured time and then accepts the next one. The time is an argument. Owned by
 * {@link TaskSet}; only sets with preferred locations have an instance.
 */
final class LocalityWait {
    private final LocalitySettings settings;
    private final PendingTasksByLocality preferences;
    private final ExecutorGroup executors;
    private final IntPredicate isPending;
    private List<Locality> levels = List.of();
    private int current;
    private long resetNanos;
    private boolean stale; // the levels must be computed again
    private boolean executorsChanged; // since the levels were computed

    LocalityWait(
            LocalitySettings settings,
            PendingTasksByLocality preferences,
            ExecutorGroup executors,
            IntPredicate isPending,
            long now) {
        this.settings = settings;
        this.preferences = preferences;
        this.executors = executors;
        this.isPending = isPending;
        this.resetNanos = now;
        this.levels = validLevels();
    }

    /**
     * Handles a change of the set of executors: the locality levels that the executors make possible are computed again
     * at the next access.
     */
    void executorsChanged() {
        stale = true;
        executorsChanged = true;
    }

    /**
     * Handles racks that have become known. The set of locality levels may grow, but the task set does not return to a
     * nearer level, so that no task waits longer because the answer of a rack resolver was late.
     */
    void racksFound() {
        stale = true;
    }

    List<Locality> levels() {
        if (stale) {
            refresh();
        }
        return levels;
    }

    /** The farthest locality level at which the task set accepts executors at the time {@code now}. */
    Locality allowed(long now) {
        if (stale) {
            refresh();
        }
        while (current < levels.size() - 1) {
            Locality level = levels.get(current);
            if (!hasTasksAt(level)) {
                resetNanos = now; // no task prefers this level, so the wait for the next level starts now
                current++;
            } else if (now - resetNanos >= settings.waitNanos(level)) {
                resetNanos += settings.waitNanos(level);
                current++;
            } else {
                break;
            }
        }
        return levels.get(current);
    }

    /**
     * The time at which the result of {@link #allowed} changes if no event occurs before; empty if the farthest
     * possible level is already allowed.
     */
    OptionalLong wakeNanos() {
        return current < levels.size() - 1
                ? OptionalLong.of(resetNanos + settings.waitNanos(levels.get(current)))
                : OptionalLong.empty();
    }

    void launched(Locality level, long now) {
        if (settings.resetOnLaunch() && level != Locality.NO_PREF) {
            current = position(level);
            resetNanos = now;
        }
    }

    /**
     * Restarts the locality wait of the task set at the level {@code nearest}. Waiting costs nothing now, because no
     * core is idle or no task is pending. Called after one pass of offers in which the set took all free cores or
     * launched its last pending task. {@code nearest} is the nearest level at which that pass launched a task.
     */
    void allCoresTaken(Locality nearest, long now) {
        if (!settings.resetOnLaunch()) {
            current = position(nearest);
            resetNanos = now;
        }
    }

    private void refresh() {
        stale = false;
        List<Locality> before = levels;
        Locality at = before.get(current);
        levels = validLevels();
        current = position(at);
        for (int nearer = 0; executorsChanged && nearer < current; nearer++) {
            if (!before.contains(levels.get(nearer))) { // a nearer level became possible, so the set returns to it
                current = nearer;
            }
        }
        executorsChanged = false;
    }

    private int position(Locality level) {
        int position = 0;
        while (position < levels.size() - 1 && level.compareTo(levels.get(position)) > 0) {
            position++;
        }
        return position;
    }

    private List<Locality> validLevels() {
        List<Locality> valid = new ArrayList<>();
        if (!preferences.byExecutor().isEmpty()
                && executors.members().stream().anyMatch(executor -> preferences.onExecutor(executor) != null)) {
            valid.add(Locality.PROCESS_LOCAL);
        }
        if (executors.hosts().stream().anyMatch(preferences.byHost()::containsKey)) {
            valid.add(Locality.NODE_LOCAL);
        }
        if (!preferences.noPreference().isEmpty()) {
            valid.add(Locality.NO_PREF);
        }
        if (!preferences.byRack().isEmpty()
                && executors.members().stream().anyMatch(executor -> preferences.onRack(executor) != null)) {
            valid.add(Locality.RACK_LOCAL);
        }
        valid.add(Locality.ANY);
        return valid;
    }

    private boolean hasTasksAt(Locality level) {
        return switch (level) {
            case PROCESS_LOCAL -> hasPending(preferences.byExecutor());
            case NODE_LOCAL -> hasPending(preferences.byHost());
            case NO_PREF -> hasPending(preferences.noPreference());
            case RACK_LOCAL -> hasPending(preferences.byRack());
            case ANY -> true;
        };
    }

    /**
     * Whether any of the {@code lists}, which are by executor, host or rack, has a pending task. Removes the lists
     * without a pending task that it meets.
     */
    private boolean hasPending(Map<String, IntList> lists) {
        for (Iterator<IntList> each = lists.values().iterator(); each.hasNext(); ) {
            if (hasPending(each.next())) {
                return true;
            }
            each.remove();
        }
        return false;
    }

    private boolean hasPending(IntList list) {
        while (!list.isEmpty() && !isPending.test(list.at(list.size() - 1))) {
            list.removeLast();
        }
        return !list.isEmpty();
    }
}
