package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives free cores to waiting tasks, set by set in the order of their pools; then lets short tasks queue at executors that are
 * busy with such. Touches executors with free cores and those something happened to, never all. Owned by {@link TaskScheduler}.
 */
final class ResourceOffers {
    /** Under fair sharing, free cores are given in about so many rounds, each to whoever is farthest below its share. */
    private static final int ROUNDS = 16;

    /** Tasks that queue at all executors together: about what is launched while a message goes there and back. */
    private static final int QUEUED_MAX = 65_536;

    private final PoolTree pools;
    private final ExecutorSet executors;
    private final TaskLauncher launcher;
    private final List<Executor> declined = new ArrayList<>();
    private long now;

    ResourceOffers(PoolTree pools, ExecutorSet executors, TaskLauncher launcher) {
        this.pools = pools;
        this.executors = executors;
        this.launcher = launcher;
    }

    void make(long now) {
        this.now = now;
        boolean given = executors.free() > 0;
        while (given) {
            given = round();
        }
        queue(executors.takeTouched());
    }

    /** Goes through the sets once; tells whether to do so again, for the order may have changed. */
    private boolean round() {
        int quantum = pools.shares() ? Math.max(1, executors.free() / ROUNDS) : Integer.MAX_VALUE;
        for (TaskSet set : pools.order()) {
            if (executors.free() == 0) {
                return false;
            }
            if (set.wantsCores() && offer(set, quantum) > 0 && pools.shares()) {
                return true;
            }
        }
        return false;
    }

    private int offer(TaskSet set, int most) {
        if (set.isBarrier()) {
            return offerAll(set);
        }
        LocalityWait wait = set.localityWait();
        int launched = wait == null ? offerAt(set, Locality.ANY, most) : offerByLevel(set, wait, most);
        if (launched < most && !set.slow().isEmpty()) {
            launched += offerCopies(set, most - launched);
        }
        return launched;
    }

    private int offerByLevel(TaskSet set, LocalityWait wait, int most) {
        Locality allowed = wait.allowed(now);
        int launched = 0;
        @Nullable Locality nearest = null;
        for (Locality level : List.copyOf(wait.levels())) {
            if (level != Locality.NO_PREF && !allowed.admits(level)) {
                continue;
            }
            int here = offerAt(set, level, most - launched);
            launched += here;
            nearest = here > 0 && nearest == null ? level : nearest;
            if (here > 0) {
                wait.launched(level, now);
                allowed = wait.allowed(now);
            }
        }
        if (nearest != null && (set.pending() == 0 || executors.free() == 0)) {
            wait.tookAll(nearest, now);
        }
        return launched;
    }

    /** Spreads tasks over the free executors, one core at a time around. */
    private int offerAt(TaskSet set, Locality farthest, int most) {
        int launched = 0;
        while (launched < most && set.pending() > 0) {
            Executor executor = executors.poll();
            if (executor == null) {
                break;
            }
            int index = set.admits(executor) ? set.take(executor, farthest) : TaskSet.NONE;
            if (index == TaskSet.NONE) {
                declined.add(executor);
            } else {
                launcher.launch(set, index, executor, set.takenAt(), false);
                executors.offer(executor);
                launched++;
            }
        }
        putBackDeclined();
        return launched;
    }

    /** Runs slow tasks a second time, on other hosts than the first. */
    private int offerCopies(TaskSet set, int most) {
        int launched = 0;
        while (launched < most && !set.slow().isEmpty()) {
            Executor executor = executors.poll();
            if (executor == null) {
                break;
            }
            Attempt original = takeSlow(set, executor);
            if (original == null) {
                declined.add(executor);
                continue;
            }
            Attempt copy = launcher.launch(set, original.index, executor, Locality.ANY, true);
            copy.twin = original;
            original.twin = copy;
            executors.offer(executor);
            launched++;
        }
        putBackDeclined();
        return launched;
    }

    private static @Nullable Attempt takeSlow(TaskSet set, Executor executor) {
        for (Iterator<Attempt> each = set.slow().iterator(); each.hasNext(); ) {
            Attempt original = each.next();
            if (original.place == TaskSet.NONE || set.isDone(original.index) || original.killed) {
                each.remove();
            } else if (!original.executor.host().equals(executor.host())
                    && set.admits(executor)
                    && set.admits(executor, original.index)) {
                each.remove();
                return original;
            }
        }
        return null;
    }

    /** All tasks of a barrier set, or none: on the best places there are, without waiting for better ones. */
    private int offerAll(TaskSet set) {
        int slots = 0;
        for (Executor executor = executors.poll(); executor != null; executor = executors.poll()) {
            declined.add(executor);
            slots += set.admits(executor) ? executor.freeCores() : 0;
        }
        putBackDeclined();
        if (slots < set.size()) {
            return 0;
        }
        LocalityWait wait = set.localityWait();
        for (Locality level : wait == null ? List.of(Locality.ANY) : List.copyOf(wait.levels())) {
            offerAt(set, level, set.size());
        }
        return set.size();
    }

    private void putBackDeclined() {
        declined.forEach(executors::offer);
        declined.clear();
    }

    /** Fills the queues of executors that something happened to, in the order of the sets, until one is found that may not queue. */
    private void queue(List<Executor> touched) {
        if (touched.isEmpty()) {
            return;
        }
        for (TaskSet set : pools.order()) {
            if (set.pending() == 0) {
                continue;
            }
            int perCore = set.credit().perCore();
            if (perCore == 0 || isDeclining(set)) {
                return; // whoever comes first is not to wait behind the queues of those who come later
            }
            for (Executor executor : touched) {
                queue(set, executor, perCore);
            }
        }
    }

    private boolean isDeclining(TaskSet set) {
        LocalityWait wait = set.localityWait();
        return wait != null && wait.allowed(now) != Locality.ANY;
    }

    private void queue(TaskSet set, Executor executor, int perCore) {
        if (!executor.isUsable() || executor.freeCores() > 0 || !set.admits(executor)) {
            return;
        }
        long tasks = Math.min(set.pending(), QUEUED_MAX); // the last ones of a set are better spread than queued
        long share = tasks * executor.cores() / Math.max(1, executors.usableCores());
        long room = Math.min(share, (long) perCore * executor.cores()) - executor.queued();
        for (long given = 0; given < room; given++) {
            int index = set.take(executor, Locality.ANY);
            if (index == TaskSet.NONE) {
                return;
            }
            launcher.launch(set, index, executor, set.takenAt(), false);
        }
    }
}
