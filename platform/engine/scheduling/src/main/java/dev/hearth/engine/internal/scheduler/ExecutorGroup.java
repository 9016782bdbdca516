package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The executors of one resource profile. Usually all their tasks have the same needs. The group is <i>mixed</i> once
 * tasks of another profile share its executors; then a slot is room for a task with the fewest cores of all. Owned by
 * {@link ExecutorSet}, as long as the application runs. Invariant: {@link #free} counts the free slots of usable
 * executors.
 */
final class ExecutorGroup {
    private final int profile;
    private final TaskNeeds needs;
    private final Map<ExecutorId, Executor> members = new LinkedHashMap<>();
    private final Map<String, Integer> hosts = new LinkedHashMap<>(); // numbers of members
    // executors that may have free slots, each at most once; readers skip executors without free slots
    private final ArrayDeque<Executor> ring = new ArrayDeque<>();
    private final Set<TaskNeeds> known = new LinkedHashSet<>();
    private TaskNeeds least;
    private boolean mixed;
    private int slots;
    private int usableSlots;
    private int free;
    private int held;
    boolean closed; // to further queued tasks, in the current call of `settle`

    ExecutorGroup(int profile, TaskNeeds needs) {
        this.profile = profile;
        this.needs = needs;
        this.least = needs;
        known.add(needs);
    }

    int profile() {
        return profile;
    }

    /** Needs of the tasks of the group's own profile. */
    TaskNeeds needs() {
        return needs;
    }

    /** Needs of the smallest tasks of a mixed group, by their cores alone. */
    TaskNeeds least() {
        return least;
    }

    boolean isMixed() {
        return mixed;
    }

    /** Admits tasks with {@code other} needs to these executors. */
    void admit(TaskNeeds other) {
        if (!known.add(other)) {
            return;
        }
        mixed = true;
        least = new TaskNeeds(Math.min(least.cpus(), other.cpus()), Map.of());
        free = 0;
        members.values().forEach(executor -> {
            free += executor.isUsable() ? executor.freeSlots() : 0;
            offer(executor);
        });
    }

    void add(Executor executor) {
        members.put(executor.id(), executor);
        hosts.merge(executor.host(), 1, Integer::sum);
        slots += executor.slots();
        usableSlots += executor.slots();
        free += executor.freeSlots();
        offer(executor);
    }

    void remove(Executor executor) {
        members.remove(executor.id());
        hosts.computeIfPresent(executor.host(), (host, number) -> number > 1 ? number - 1 : null);
        slots -= executor.slots();
    }

    Collection<Executor> members() {
        return members.values();
    }

    Collection<String> hosts() {
        return hosts.keySet();
    }

    /** Number of tasks with {@code needs} that all executors together run at the same time. */
    int slots(TaskNeeds asked) {
        return asked.equals(needs)
                ? slots
                : members.values().stream()
                        .mapToInt(executor -> executor.slots(asked))
                        .sum();
    }

    int usableSlots() {
        return usableSlots;
    }

    int free() {
        return free;
    }

    /** Number of attempts that these executors run or queue. */
    int held() {
        return held;
    }

    void usableChanged(Executor executor, int sign) {
        free += sign * executor.freeSlots();
        usableSlots += sign * executor.slots();
        if (sign > 0) {
            offer(executor);
        }
    }

    void heldChanged(int attempts, int freed) {
        held += attempts;
        free += freed;
    }

    /**
     * Removes and returns the next usable executor with a free slot, or null if there is none. The caller returns the
     * executor to this queue by {@link #offer}.
     */
    @Nullable
    Executor poll() {
        for (Executor next = ring.poll(); next != null; next = ring.poll()) {
            next.inRing = false;
            if (next.isUsable() && next.freeSlots() > 0) {
                return next;
            }
        }
        return null;
    }

    void offer(Executor executor) {
        if (!executor.inRing && executor.isUsable() && executor.freeSlots() > 0) {
            executor.inRing = true;
            ring.add(executor);
        }
    }

    /**
     * Whether an executor with a free slot may run the task of {@code attempt}, that is, is not excluded for its task
     * set or its partition.
     */
    boolean anyFreeFor(Attempt attempt) {
        if (attempt.set.exclusion() == null && !mixed) {
            return free > 0;
        }
        for (Executor executor : ring) {
            if (executor.isUsable()
                    && executor.freeSlots() > 0
                    && executor.fits(attempt.set)
                    && attempt.set.admits(executor)
                    && attempt.set.admits(executor, attempt.index)) {
                return true;
            }
        }
        return false;
    }
}
