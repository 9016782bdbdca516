package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.resource.AddressPool;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The registered executors. Gives access in constant time to three groups: executors with free slots, executors with
 * queued attempts, and executors on which an attempt was launched or ended since the last offers. Owned by
 * {@link TaskScheduler}. Invariant: {@link #free} counts the free slots of usable executors.
 */
final class ExecutorSet {
    private final Map<ExecutorId, Executor> byId = new LinkedHashMap<>();
    private final Map<String, List<Executor>> byHost = new LinkedHashMap<>();
    private final List<@Nullable Executor> byNumber = new ArrayList<>();
    // executors that may have free slots, each at most once; readers skip executors without free slots
    private final ArrayDeque<Executor> ring = new ArrayDeque<>();
    private List<Executor> changed = new ArrayList<>();
    // executors that may have queued attempts, each at most once; `queueing()` removes executors without any
    private final ArrayDeque<Executor> queueing = new ArrayDeque<>();
    private final Consumer<Attempt> beginning;
    private final TaskNeeds needs;
    private int cores;
    private int slots;
    private int usableSlots;
    private int free;

    /**
     * Creates a set without executors, for tasks with {@code needs}. Calls {@code beginning} with each attempt that
     * begins in a slot of one of the executors.
     */
    ExecutorSet(TaskNeeds needs, Consumer<Attempt> beginning) {
        this.needs = needs;
        this.beginning = beginning;
    }

    Executor add(ExecutorId id, String host, int cores, Map<String, ResourceInformation> resources, long now) {
        Map<String, Integer> addresses = new LinkedHashMap<>();
        resources.forEach(
                (name, resource) -> addresses.put(name, resource.addresses().size()));
        Executor executor = new Executor(
                id,
                byNumber.size(),
                host,
                cores,
                needs.slots(cores, addresses),
                needs.amounts().isEmpty() ? null : new AddressPool(needs, resources),
                now,
                beginning);
        if (byId.putIfAbsent(id, executor) != null) {
            throw new IllegalStateException("executor " + id + ": up twice (expected: once)");
        }
        byNumber.add(executor);
        byHost.computeIfAbsent(host, absent -> new ArrayList<>()).add(executor);
        this.cores += cores;
        slots += executor.slots();
        usableSlots += executor.slots();
        free += executor.slots();
        offer(executor);
        return executor;
    }

    void remove(Executor executor) {
        byId.remove(executor.id());
        byNumber.set(executor.number(), null);
        List<Executor> neighbours = byHost.getOrDefault(executor.host(), new ArrayList<>());
        neighbours.remove(executor);
        if (neighbours.isEmpty()) {
            byHost.remove(executor.host());
        }
        cores -= executor.cores();
        slots -= executor.slots();
        boolean usable = executor.isUsable();
        executor.lost = true;
        usableChanged(executor, usable);
    }

    void suspend(Executor executor) {
        boolean usable = executor.isUsable();
        executor.suspended = true;
        usableChanged(executor, usable);
    }

    /** Sets whether an executor is being decommissioned, so that it gets no tasks. */
    void decommission(Executor executor, boolean decommissioning) {
        boolean usable = executor.isUsable();
        executor.decommissioning = decommissioning;
        usableChanged(executor, usable);
    }

    void exclude(Executor executor, boolean excluded) {
        boolean usable = executor.isUsable();
        executor.excluded = excluded;
        usableChanged(executor, usable);
    }

    private void usableChanged(Executor executor, boolean before) {
        int sign = executor.isUsable() == before ? 0 : before ? -1 : 1;
        free += sign * executor.freeSlots();
        usableSlots += sign * executor.slots();
        if (sign > 0) {
            offer(executor);
        }
    }

    @Nullable
    Executor find(ExecutorId id) {
        return byId.get(id);
    }

    Optional<Executor> numbered(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    Collection<Executor> all() {
        return byId.values();
    }

    List<Executor> on(String host) {
        return byHost.getOrDefault(host, List.of());
    }

    Collection<String> hosts() {
        return byHost.keySet();
    }

    int cores() {
        return cores;
    }

    int slots() {
        return slots;
    }

    int usableSlots() {
        return usableSlots;
    }

    int free() {
        return free;
    }

    void launched(Executor executor, Attempt attempt, long now) {
        int before = executor.freeSlots();
        executor.add(attempt, now);
        free += executor.freeSlots() - before;
        markChanged(executor);
        if (executor.queued() > 0 && !executor.listedAsQueueing) {
            executor.listedAsQueueing = true;
            queueing.add(executor);
        }
    }

    void ended(Executor executor, Attempt attempt, long now) {
        int before = executor.freeSlots();
        executor.remove(attempt, now);
        if (executor.isUsable()) {
            free += executor.freeSlots() - before;
            markChanged(executor);
            offer(executor);
        }
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

    /**
     * Whether an executor with a free slot may run the task of {@code attempt}, that is, is not excluded for its task
     * set or its partition.
     */
    boolean anyFreeFor(Attempt attempt) {
        if (attempt.set.exclusion() == null) {
            return free > 0;
        }
        for (Executor executor : ring) {
            if (executor.isUsable()
                    && executor.freeSlots() > 0
                    && attempt.set.admits(executor)
                    && attempt.set.admits(executor, attempt.index)) {
                return true;
            }
        }
        return false;
    }

    void offer(Executor executor) {
        if (!executor.inRing && executor.isUsable() && executor.freeSlots() > 0) {
            executor.inRing = true;
            ring.add(executor);
        }
    }

    /**
     * Removes and returns the executors on which an attempt was launched or ended since the last call of this method.
     */
    List<Executor> takeChanged() {
        List<Executor> taken = changed;
        changed = new ArrayList<>();
        taken.forEach(executor -> executor.changed = false);
        return taken;
    }

    /** The executors with queued attempts. Removes executors without queued attempts from the internal list first. */
    ArrayDeque<Executor> queueing() {
        queueing.removeIf(executor -> {
            boolean idle = executor.lost || executor.queued() == 0;
            executor.listedAsQueueing = !idle;
            return idle;
        });
        return queueing;
    }

    private void markChanged(Executor executor) {
        if (!executor.changed) {
            executor.changed = true;
            changed.add(executor);
        }
    }
}
