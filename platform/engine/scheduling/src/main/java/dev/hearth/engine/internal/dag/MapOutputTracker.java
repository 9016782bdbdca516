package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.spi.id.ExecutorId;
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
 * The map outputs of all shuffles of an application, and which executors took theirs along. Owned by the stage scheduler.
 * <p>An id of an executor never comes back, so word from a lost one is late word; the last ones lost are enough to know it.
 */
final class MapOutputTracker {
    private static final int LOST_EXECUTORS_MAX = 10_000; // ids kept
    private static final int ANY_GENERATION = Integer.MAX_VALUE;
    private static final long EPOCHS_OF_ONE = 1L << 32; // more changes than one shuffle sees

    private final boolean hostsLoseOutputs;
    private final Map<Integer, ShuffleStatus> shuffles = new LinkedHashMap<>();
    private final Set<Integer> leaving = new LinkedHashSet<>(); // forgotten as soon as no stage uses them
    private final RecentNames lost = new RecentNames(LOST_EXECUTORS_MAX);
    private int made; // so that one which is forgotten and made again begins other epochs
    private final RecentNames departing = new RecentNames(LOST_EXECUTORS_MAX); // executors on their way out

    MapOutputTracker(boolean hostsLoseOutputs) {
        this.hostsLoseOutputs = hostsLoseOutputs;
    }

    @Nullable
    ShuffleStatus find(int shuffle) {
        return shuffles.get(shuffle);
    }

    ShuffleStatus of(int shuffle, int partitions) {
        return shuffles.computeIfAbsent(shuffle, id -> new ShuffleStatus(id, partitions, EPOCHS_OF_ONE * made++));
    }

    /** The shuffles of which some output lies on an executor. */
    List<ShuffleStatus> on(ExecutorId executor) {
        return shuffles.values().stream()
                .filter(outputs -> outputs.hasAnyOn(executor))
                .toList();
    }

    boolean isLost(String executor) {
        return lost.contains(executor);
    }

    /** An executor is on its way out. */
    void leaves(ExecutorId executor) {
        departing.add(executor.value());
    }

    boolean isLeaving(ExecutorId executor) {
        return departing.contains(executor.value());
    }

    /** Drops a shuffle that no dataset refers to any more, as soon as no job uses it: see {@link #sweep}. */
    void forget(int shuffle) {
        leaving.add(shuffle);
    }

    /** Drops what is to be forgotten and not used. */
    void sweep(IntPredicate used) {
        leaving.removeIf(shuffle -> {
            boolean leaves = !used.test(shuffle);
            if (leaves) {
                shuffles.remove(shuffle);
            }
            return leaves;
        });
    }

    /** Drops what an executor had; returns the shuffles that miss something now. */
    List<ShuffleStatus> executorLost(ExecutorId executor, String host, OutputLoss what) {
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
                                || place.host().equals(host),
                        ANY_GENERATION);
            }
        };
    }

    List<MapOutputId> outputsOn(ExecutorId executor) {
        return shuffles.values().stream()
                .filter(outputs -> !leaving.contains(outputs.shuffle()))
                .flatMap(outputs -> outputs.on(executor))
                .toList();
    }

    /** Returns the shuffle whose output is elsewhere now. */
    List<ShuffleStatus> moved(MapOutputId output, ExecutorId from, ExecutorId to, String host) {
        ShuffleStatus outputs = shuffles.get(output.shuffle());
        boolean moved = outputs != null && !isLost(to.value()) && outputs.move(output.map(), from, to, host);
        return outputs != null && moved ? List.of(outputs) : List.of();
    }

    /** Drops what is lost when a task that began in {@code generation} could not fetch. */
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
