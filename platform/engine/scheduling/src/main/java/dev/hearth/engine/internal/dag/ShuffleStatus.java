package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.spi.id.ExecutorId;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The registered map outputs of one shuffle and their locations. Each output has the generation of its registration, so
 * that a late fetch failure of an older attempt cannot unregister a newer output. Uses eight bytes and one bit per
 * partition. Owned by {@link DagScheduler}; exists until the shuffle is dropped, so jobs can reuse the outputs of
 * earlier jobs.
 */
final class ShuffleStatus implements StageOutput, MapOutputLocations {
    private static final int NEVER = -1;

    private final int shuffle;
    private final @Nullable Holder[] holders;
    private final int[] generations;
    private final BitSet counted = new BitSet();
    private final Map<String, Holder> byExecutor = new LinkedHashMap<>();
    private int present;
    private final LocationDeltas changes;
    private int plannedRemoval = NEVER; // the generation in which outputs were last removed as planned

    /**
     * Creates the status of a shuffle without outputs. {@code epochsBefore} is a lower bound: all epochs of this
     * shuffle are greater.
     */
    ShuffleStatus(int shuffle, int partitions, long epochsBefore) {
        this.changes = new LocationDeltas(partitions, epochsBefore);
        this.shuffle = shuffle;
        this.holders = new @Nullable Holder[partitions];
        this.generations = new int[partitions];
    }

    private static final class Holder {
        private final MapOutputLocation place;
        private int outputs;

        Holder(MapOutputLocation place) {
            this.place = place;
        }
    }

    @Override
    public int shuffle() {
        return shuffle;
    }

    int partitions() {
        return holders.length;
    }

    int present() {
        return present;
    }

    @Override
    public boolean isComplete() {
        return present == holders.length;
    }

    @Override
    public int[] missing() {
        int[] missing = new int[holders.length - present];
        int found = 0;
        for (int partition = 0; found < missing.length; partition++) {
            if (holders[partition] == null) {
                missing[found++] = partition;
            }
        }
        return missing;
    }

    /**
     * Returns a live view of the map output locations of this shuffle. From then on changes are recorded, so that a
     * reader can request only the changes since an epoch.
     */
    MapOutputLocations places() {
        changes.startRecording();
        return this;
    }

    @Override
    public int maps() {
        return holders.length;
    }

    @Override
    public long epoch() {
        return changes.epoch();
    }

    @Override
    public Optional<MapOutputLocation> holder(int map) {
        return Optional.ofNullable(holders[map]).map(holder -> holder.place);
    }

    @Override
    public Optional<int[]> changedSince(long epoch) {
        return changes.since(epoch);
    }

    boolean hasAnyOn(ExecutorId executor) {
        return byExecutor.containsKey(executor.value());
    }

    /**
     * Registers that {@code executor} stores the output of a map task, unless an output of that task is already
     * registered.
     */
    void register(int partition, String executor, String host, int generation) {
        if (holders[partition] == null) {
            put(partition, executor, host);
            generations[partition] = generation;
        }
    }

    private void put(int partition, String executor, String host) {
        Holder holder =
                byExecutor.computeIfAbsent(executor, id -> new Holder(new MapOutputLocation(new ExecutorId(id), host)));
        holder.outputs++;
        holders[partition] = holder;
        present++;
        changes.add(partition);
    }

    /** The map outputs of this shuffle that are stored on {@code executor}. */
    Stream<MapOutputId> on(ExecutorId executor) {
        Holder holder = byExecutor.get(executor.value());
        return holder == null
                ? Stream.of()
                : IntStream.range(0, holders.length)
                        .filter(partition -> holders[partition] == holder)
                        .mapToObj(partition -> new MapOutputId(shuffle, partition));
    }

    /**
     * Moves an output from one executor to another. The output keeps its generation. Returns false if the output is not
     * on {@code from}.
     */
    boolean move(int partition, ExecutorId from, ExecutorId to, String host) {
        Holder holder = holders[partition];
        if (holder == null || !holder.place.executor().equals(from)) {
            return false;
        }
        remove(partition, holder);
        put(partition, to.value(), host);
        return true;
    }

    /**
     * Records that outputs of this shuffle were lost or moved because an executor was decommissioned or preempted,
     * while {@code generation} was current.
     */
    void notePlannedRemoval(int generation) {
        plannedRemoval = generation;
    }

    /**
     * Whether a planned removal of an executor, such as its decommissioning, lost or moved outputs of this shuffle
     * since a stage attempt began. {@code generation} is the number of that attempt.
     */
    boolean hasPlannedRemovalSince(int generation) {
        return plannedRemoval >= generation;
    }

    /**
     * Whether the accumulator updates of the partition must be merged. Returns true only at the first call for the
     * partition, because a recomputed output must not count twice.
     */
    boolean countOnce(int partition) {
        boolean first = !counted.get(partition);
        counted.set(partition);
        return first;
    }

    /**
     * Unregisters the output of one partition if its generation is smaller than {@code generation}. If {@code executor}
     * is present, the output must also be stored on that executor. Returns whether it was unregistered.
     */
    boolean drop(int partition, Optional<ExecutorId> executor, int generation) {
        Holder holder = partition < 0 || partition >= holders.length ? null : holders[partition];
        if (holder == null
                || generations[partition] >= generation
                || executor.filter(id -> !id.equals(holder.place.executor())).isPresent()) {
            return false;
        }
        remove(partition, holder);
        return true;
    }

    /**
     * Unregisters the outputs at the locations that {@code places} accepts, if their generation is smaller than
     * {@code generation}. Returns whether any output was unregistered.
     */
    boolean drop(Predicate<MapOutputLocation> places, int generation) {
        if (byExecutor.values().stream().noneMatch(holder -> places.test(holder.place))) {
            return false;
        }
        int before = present;
        for (int partition = 0; partition < holders.length; partition++) {
            Holder holder = holders[partition];
            if (holder != null && generations[partition] < generation && places.test(holder.place)) {
                remove(partition, holder);
            }
        }
        return present < before;
    }

    private void remove(int partition, Holder holder) {
        holders[partition] = null;
        present--;
        changes.add(partition);
        if (--holder.outputs == 0) {
            byExecutor.remove(holder.place.executor().value());
        }
    }
}
