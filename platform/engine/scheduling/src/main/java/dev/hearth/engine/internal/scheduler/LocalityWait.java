package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * How near its data one set insists to run now: it waits at each level for as long as the settings say, then takes the next.
 * Time is an argument. Owned by {@link TaskSet}, only for sets that have preferences.
 */
final class LocalityWait {
    private final LocalitySettings settings;
    private final PendingTasksByLocality preferences;
    private final ExecutorSet executors;
    private final IntPredicate isPending;
    private List<Locality> levels = List.of();
    private int current;
    private long resetNanos;
    private boolean stale;

    LocalityWait(
            LocalitySettings settings,
            PendingTasksByLocality preferences,
            ExecutorSet executors,
            IntPredicate isPending,
            long now) {
        this.settings = settings;
        this.preferences = preferences;
        this.executors = executors;
        this.isPending = isPending;
        this.resetNanos = now;
        this.levels = validLevels();
    }

    /** Executors came or went: which levels there are is found anew when it is next asked. */
    void executorsChanged() {
        stale = true;
    }

    List<Locality> levels() {
        if (stale) {
            refresh();
        }
        return levels;
    }

    /** The farthest level allowed now. */
    Locality allowed(long now) {
        if (stale) {
            refresh();
        }
        while (current < levels.size() - 1) {
            Locality level = levels.get(current);
            if (!hasTasksAt(level)) {
                resetNanos = now; // nothing to wait for here, and the next level is waited for from now on
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

    /** When {@link #allowed} changes by itself. */
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

    /** Every free core that was offered was taken, the nearest launch at {@code nearest}: the wait starts anew. */
    void tookAll(Locality nearest, long now) {
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
        for (int nearer = 0; nearer < current; nearer++) {
            if (!before.contains(levels.get(nearer))) { // nearer places than before have come
                current = nearer;
            }
        }
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
                && executors.all().stream().anyMatch(executor -> preferences.onExecutor(executor) != null)) {
            valid.add(Locality.PROCESS_LOCAL);
        }
        if (executors.hosts().stream().anyMatch(preferences.byHost()::containsKey)) {
            valid.add(Locality.NODE_LOCAL);
        }
        if (!preferences.anywhere().isEmpty()) {
            valid.add(Locality.NO_PREF);
        }
        if (!preferences.byRack().isEmpty()
                && executors.all().stream().anyMatch(executor -> preferences.onRack(executor) != null)) {
            valid.add(Locality.RACK_LOCAL);
        }
        valid.add(Locality.ANY);
        return valid;
    }

    private boolean hasTasksAt(Locality level) {
        return switch (level) {
            case PROCESS_LOCAL -> hasPending(preferences.byExecutor());
            case NODE_LOCAL -> hasPending(preferences.byHost());
            case NO_PREF -> hasPending(preferences.anywhere());
            case RACK_LOCAL -> hasPending(preferences.byRack());
            case ANY -> true;
        };
    }

    /** Drops lists without waiting tasks on the way, so that each is looked through once. */
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
