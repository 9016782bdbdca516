package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.resource.TaskProfile;
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
 * The registered executors, in a group per resource profile. Gives access in constant time to executors with free slots
 * (in their group), to executors with queued attempts, and to executors on which an attempt was launched or ended since the last offers. Owned by
 * {@link TaskScheduler}. Invariant: {@link #free} counts the free slots of usable executors.
 */
final class ExecutorSet {
    private final Map<ExecutorId, Executor> byId = new LinkedHashMap<>();
    private final Map<String, List<Executor>> byHost = new LinkedHashMap<>();
    private final List<@Nullable Executor> byNumber = new ArrayList<>();
    private final Map<Integer, ExecutorGroup> groups = new LinkedHashMap<>(); // by profile
    private List<Executor> changed = new ArrayList<>();
    // executors that may have queued attempts, each at most once; `queueing()` removes executors without any
    private final ArrayDeque<Executor> queueing = new ArrayDeque<>();
    private final Consumer<Attempt> beginning;
    private final ExecutorGroup first;
    private int cores;
    private int free;

    /**
     * Creates a set without executors, for tasks of the default profile with {@code needs}. Calls {@code beginning} with
     * each attempt that begins in a slot of one of the executors.
     */
    ExecutorSet(TaskNeeds needs, Consumer<Attempt> beginning) {
        this.first = new ExecutorGroup(TaskProfile.DEFAULT_ID, needs);
        this.beginning = beginning;
        groups.put(TaskProfile.DEFAULT_ID, first);
    }

    /** The executors that run tasks of {@code profile}. */
    ExecutorGroup group(TaskProfile profile) {
        if (profile.isDefault()) {
            return first;
        }
        if (profile.executors() == TaskProfile.DEFAULT_ID) {
            int before = first.free();
            first.admit(profile.needs());
            free += first.free() - before;
            return first;
        }
        return groups.computeIfAbsent(profile.executors(), id -> new ExecutorGroup(id, profile.needs()));
    }

    /** The executors of the profile with this id, if tasks or executors of it are known. */
    Optional<ExecutorGroup> group(int profile) {
        return Optional.ofNullable(groups.get(profile));
    }

    Collection<ExecutorGroup> groups() {
        return groups.values();
    }

    Executor add(
            ExecutorId id,
            String host,
            int cores,
            Map<String, ResourceInformation> resources,
            ExecutorGroup group,
            long now) {
        Executor executor = new Executor(id, byNumber.size(), host, cores, group, resources, now, beginning);
        if (byId.putIfAbsent(id, executor) != null) {
            throw new IllegalStateException("executor " + id + ": up twice (expected: once)");
        }
        byNumber.add(executor);
        byHost.computeIfAbsent(host, absent -> new ArrayList<>()).add(executor);
        this.cores += cores;
        free += executor.freeSlots();
        group.add(executor);
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
        executor.group().remove(executor);
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
        executor.group().usableChanged(executor, sign);
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

    int free() {
        return free;
    }

    void launched(Executor executor, Attempt attempt, long now) {
        int before = executor.freeSlots();
        executor.add(attempt, now);
        int freed = executor.freeSlots() - before;
        free += freed;
        executor.group().heldChanged(1, freed);
        markChanged(executor);
        if (executor.queued() > 0 && !executor.listedAsQueueing) {
            executor.listedAsQueueing = true;
            queueing.add(executor);
        }
    }

    void ended(Executor executor, Attempt attempt, long now) {
        int before = executor.freeSlots();
        executor.remove(attempt, now);
        int freed = executor.isUsable() ? executor.freeSlots() - before : 0;
        free += freed;
        executor.group().heldChanged(-1, freed);
        if (executor.isUsable()) {
            markChanged(executor);
            executor.group().offer(executor);
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
