package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Offers free slots to pending tasks, one task set after another in the order of their pools. Then queues further
 * tasks, if short, at executors whose slots are all in use. Examines only executors with free slots and executors on
 * which an attempt was launched or ended since the last offers. Owned by {@link TaskScheduler}.
 */
final class ResourceOffers {
    /**
     * Under FAIR, free slots are offered in about this many rounds. In each round, the task set farthest below its fair
     * share comes first.
     */
    private static final int ROUNDS = 16;

    /**
     * Maximum number of pending tasks of one task set that each call of {@link #make} distributes to the executors'
     * queues, in proportion to their slots. About this many tasks can be launched within one round trip to an executor.
     */
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
        boolean again = executors.free() > 0;
        while (again) {
            again = round();
        }
        queue(executors.takeChanged());
    }

    /**
     * Offers free slots to the task sets in the order of the pools. Returns true if another round is needed, because
     * launches of this round may have changed that order.
     */
    private boolean round() {
        for (TaskSet set : pools.order()) {
            if (executors.free() == 0) {
                return false;
            }
            int free = set.group().free();
            int quantum = pools.isFair() ? Math.max(1, free / ROUNDS) : Integer.MAX_VALUE;
            if (free > 0 && set.wantsCores() && offer(set, quantum) > 0 && pools.isFair()) {
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
        if (launched < most && !set.speculatable().isEmpty()) {
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
        if (nearest != null && (set.pending() == 0 || set.group().free() == 0)) {
            wait.allCoresTaken(nearest, now);
        }
        return launched;
    }

    /** Launches tasks round-robin on the executors with free slots, one slot at a time. */
    private int offerAt(TaskSet set, Locality farthest, int most) {
        int launched = 0;
        ExecutorGroup group = set.group();
        while (launched < most && set.pending() > 0) {
            Executor executor = group.poll();
            if (executor == null) {
                break;
            }
            int index = set.admits(executor) && executor.fits(set) ? set.take(executor, farthest) : TaskSet.NONE;
            if (index == TaskSet.NONE) {
                declined.add(executor);
            } else {
                launcher.launch(set, index, executor, set.takenAt(), false);
                group.offer(executor);
                launched++;
            }
        }
        putBackDeclined();
        return launched;
    }

    /**
     * Launches up to {@code most} speculative copies of slow tasks and returns their number. Each speculative copy runs
     * on a host other than that of the original attempt.
     */
    private int offerCopies(TaskSet set, int most) {
        int launched = 0;
        ExecutorGroup group = set.group();
        while (launched < most && !set.speculatable().isEmpty()) {
            Executor executor = group.poll();
            if (executor == null) {
                break;
            }
            Attempt original = takeSpeculatable(set, executor);
            if (original == null) {
                declined.add(executor);
                continue;
            }
            Attempt copy = launcher.launch(set, original.index, executor, Locality.ANY, true);
            copy.twin = original;
            original.twin = copy;
            group.offer(executor);
            launched++;
        }
        putBackDeclined();
        return launched;
    }

    private static @Nullable Attempt takeSpeculatable(TaskSet set, Executor executor) {
        for (Iterator<Attempt> each = set.speculatable().iterator(); each.hasNext(); ) {
            Attempt original = each.next();
            if (original.runningIndex == TaskSet.NONE || set.isDone(original.index) || original.killed) {
                each.remove();
            } else if (!original.executor.host().equals(executor.host())
                    && executor.fits(set)
                    && set.admits(executor)
                    && set.admits(executor, original.index)) {
                each.remove();
                return original;
            }
        }
        return null;
    }

    /**
     * Launches either all tasks of a barrier task set or none. Each task runs at the nearest locality available now,
     * without a locality wait.
     */
    private int offerAll(TaskSet set) {
        int slots = 0;
        ExecutorGroup group = set.group();
        for (Executor executor = group.poll(); executor != null; executor = group.poll()) {
            declined.add(executor);
            slots += set.admits(executor) ? executor.freeSlots(set) : 0;
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
        declined.forEach(executor -> executor.group().offer(executor));
        declined.clear();
    }

    /**
     * Queues pending tasks at those of the {@code changed} executors that have no free slot, one task set after
     * another. Stops for a group of executors at the first set whose pending tasks may not be queued, because later sets
     * must not delay it.
     */
    private void queue(List<Executor> changed) {
        if (changed.isEmpty()) {
            return;
        }
        int open = executors.groups().size();
        executors.groups().forEach(group -> group.closed = false);
        for (TaskSet set : pools.order()) {
            ExecutorGroup group = set.group();
            if (set.pending() == 0 || group.closed) {
                continue;
            }
            int perSlot = mayQueue(set) ? set.credit().perCore() : 0;
            if (perSlot == 0 || waitsForLocality(set)) {
                group.closed = true; // queued tasks of later task sets must not delay this one
                if (--open == 0) {
                    return;
                }
                continue;
            }
            for (Executor executor : changed) {
                if (executor.group() == group) {
                    queue(set, executor, perSlot);
                }
            }
        }
    }

    /**
     * Whether tasks of a set may be queued at executors at all. In a mixed group only the smallest tasks may, because an
     * executor starts queued tasks as soon as it has room for one of these.
     */
    private static boolean mayQueue(TaskSet set) {
        ExecutorGroup group = set.group();
        return !group.isMixed() || set.needs().cpus() == group.least().cpus();
    }

    private boolean waitsForLocality(TaskSet set) {
        LocalityWait wait = set.localityWait();
        return wait != null && wait.allowed(now) != Locality.ANY;
    }

    private void queue(TaskSet set, Executor executor, int perSlot) {
        if (!executor.isUsable() || executor.freeSlots() > 0 || !set.admits(executor)) {
            return;
        }
        if (set.group().isMixed() && !executor.holdsOnlyLike(set)) {
            return; // the executor counts threads, not the cores of its tasks
        }
        long tasks = Math.min(set.pending(), QUEUED_MAX); // spreads the last tasks of a set over executors
        long share = tasks * executor.slots() / Math.max(1, set.group().usableSlots());
        long room = Math.min(share, (long) perSlot * executor.slots()) - executor.queued();
        for (long queued = 0; queued < room; queued++) {
            int index = set.take(executor, Locality.ANY);
            if (index == TaskSet.NONE) {
                return;
            }
            launcher.launch(set, index, executor, set.takenAt(), false);
        }
    }
}
