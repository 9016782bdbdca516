package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The map outputs of all shuffles of an application, and the executors whose outputs were lost. Executor ids are never
 * reused, so any report from a lost executor is late and ignored. Only the most recently lost executors are remembered.
 * Owned by {@link DagScheduler}.
 */
final class MapOutputTracker {
    private static final int LOST_EXECUTORS_MAX = 10_000; // bound on the remembered ids of lost executors
    private static final int ANY_GENERATION = Integer.MAX_VALUE;
    private static final long EPOCHS_PER_SHUFFLE = 1L << 32; // more epochs than any shuffle ever needs

    private final boolean hostsLoseOutputs;
    private final Map<Integer, ShuffleStatus> shuffles = new LinkedHashMap<>();
    private final Set<Integer> dropping = new LinkedHashSet<>(); // shuffles to drop as soon as no stage uses them
    private final RecentNames lost = new RecentNames(LOST_EXECUTORS_MAX);
    private int created; // number of shuffles created so far; gives each creation of a shuffle its own range of epochs
    private final Map<String, String> services = new LinkedHashMap<>(); // by executor, what has its outputs instead
    private final RecentNames decommissioning = new RecentNames(LOST_EXECUTORS_MAX); // executors

    MapOutputTracker(boolean hostsLoseOutputs) {
        this.hostsLoseOutputs = hostsLoseOutputs;
    }

    @Nullable
    ShuffleStatus find(int shuffle) {
        return shuffles.get(shuffle);
    }

    ShuffleStatus findOrCreate(int shuffle, int partitions) {
        return shuffles.computeIfAbsent(
                shuffle, id -> new ShuffleStatus(id, partitions, EPOCHS_PER_SHUFFLE * created++));
    }

    /** The shuffles of which {@code executor} stores at least one map output. */
    List<ShuffleStatus> on(ExecutorId executor) {
        return shuffles.values().stream()
                .filter(outputs -> outputs.hasAnyOn(executor))
                .toList();
    }

    boolean isLost(String executor) {
        return lost.contains(executor);
    }

    /** Records that the shuffle service {@code service} takes over all map outputs of {@code executor}. */
    void servedBy(ExecutorId executor, ExecutorId service) {
        services.put(executor.value(), service.value());
    }

    /**
     * Returns the executor or shuffle service that has the output of a task that succeeded on {@code executor}. Empty if
     * either is lost, so that the output is not registered.
     */
    Optional<String> holderOf(String executor) {
        return Optional.of(services.getOrDefault(executor, executor))
                .filter(holder -> !isLost(executor) && !isLost(holder));
    }

    void decommission(ExecutorId executor) {
        decommissioning.add(executor.value());
    }

    void recommission(ExecutorId executor) {
        decommissioning.remove(executor.value());
    }

    boolean isDecommissioning(ExecutorId executor) {
        return decommissioning.contains(executor.value());
    }

    /** Marks a shuffle to be dropped at the next {@link #sweep}, unless a job still uses it then. */
    void forget(int shuffle) {
        dropping.add(shuffle);
    }

    /**
     * Drops the map outputs of those shuffles that {@link #forget} has marked and for which {@code used} says that no
     * job uses them.
     */
    void sweep(IntPredicate used) {
        dropping.removeIf(shuffle -> {
            boolean unused = !used.test(shuffle);
            if (unused) {
                shuffles.remove(shuffle);
            }
            return unused;
        });
    }

    /**
     * Unregisters the map outputs that are lost with an executor, as {@code what} selects them. Returns the shuffles
     * that lost outputs. The connection of the driver to a shuffle service decides whether that is lost, and not the host:
     * the worker may have started again.
     */
    List<ShuffleStatus> executorLost(ExecutorId executor, String host, OutputLoss what) {
        services.remove(executor.value());
        return switch (what) {
            case NONE -> List.of();
            case OF_THE_EXECUTOR -> {
                lost.add(executor.value());
                yield drop(place -> place.executor().equals(executor), ANY_GENERATION);
            }
            case OF_THE_HOST -> {
                lost.add(executor.value());
                yield drop(
                        place -> place.executor().equals(executor)
                                || (place.host().equals(host) && !ShuffleServiceOrders.isService(place.executor())),
                        ANY_GENERATION);
            }
        };
    }

    List<MapOutputId> outputsOn(ExecutorId executor) {
        return shuffles.values().stream()
                .filter(outputs -> !dropping.contains(outputs.shuffle()))
                .flatMap(outputs -> outputs.on(executor))
                .toList();
    }

    /**
     * Registers that a map output has moved from the executor {@code from} to the executor {@code to} on {@code host}.
     * Returns a list with the shuffle that the output belongs to. Returns an empty list, without a change, if {@code
     * from} no longer has the output or {@code to} is lost.
     */
    List<ShuffleStatus> moved(MapOutputId output, ExecutorId from, ExecutorId to, String host) {
        ShuffleStatus outputs = shuffles.get(output.shuffle());
        boolean moved = outputs != null && !isLost(to.value()) && outputs.move(output.map(), from, to, host);
        return outputs != null && moved ? List.of(outputs) : List.of();
    }

    /**
     * Unregisters the map outputs that a fetch failure proves lost, if they are older than the {@code generation} of
     * the failed attempt. Returns the shuffles that lost outputs.
     */
    List<ShuffleStatus> fetchFailed(FetchFailure failure, int generation) {
        Set<ShuffleStatus> affected = new LinkedHashSet<>();
        ShuffleStatus named = shuffles.get(failure.shuffle());
        if (named != null) {
            boolean dropped = named.drop(failure.map(), failure.executor(), generation);
            for (int other : failure.others()) {
                dropped |= named.drop(other, failure.executor(), generation);
            }
            if (dropped) {
                affected.add(named);
            }
        }
        Optional<ExecutorId> executor = failure.executor();
        if (hostsLoseOutputs && !failure.host().isEmpty()) {
            affected.addAll(drop(place -> place.host().equals(failure.host()), generation));
        } else if (executor.isPresent()) {
            affected.addAll(drop(place -> place.executor().equals(executor.get()), generation));
        }
        return List.copyOf(affected);
    }

    private List<ShuffleStatus> drop(Predicate<MapOutputLocation> places, int generation) {
        List<ShuffleStatus> affected = new ArrayList<>();
        for (ShuffleStatus outputs : shuffles.values()) {
            if (outputs.drop(places, generation)) {
                affected.add(outputs);
            }
        }
        return affected;
    }
}
