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
 * Where the outputs of one shuffle's map tasks lie. Owned by the stage scheduler; outlives the jobs that made it, until
 * the shuffle is forgotten. Each output carries the generation it was registered in, so that word of a failure cannot
 * harm outputs made after whoever failed had begun. Eight bytes and a bit per partition.
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
    private int excused = NEVER; // the generation in which outputs last went, or moved, by nobody's fault

    /** Epochs of its places are greater than {@code epochsBefore}. */
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

    /** Where outputs lie, for somebody who is told. */
    MapOutputLocations places() {
        changes.watch();
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
    public Optional<int[]> changedSince(long told) {
        return changes.since(told);
    }

    boolean hasAnyOn(ExecutorId executor) {
        return byExecutor.containsKey(executor.value());
    }

    /** Notes an output; one that is there already stays. */
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

    /** What lies on an executor. */
    Stream<MapOutputId> on(ExecutorId executor) {
        Holder holder = byExecutor.get(executor.value());
        return holder == null
                ? Stream.of()
                : IntStream.range(0, holders.length)
                        .filter(partition -> holders[partition] == holder)
                        .mapToObj(partition -> new MapOutputId(shuffle, partition));
    }

    /** An output that lies on {@code from}, of the same generation still, lies on another executor from now on; false if none does. */
    boolean move(int partition, ExecutorId from, ExecutorId to, String host) {
        Holder holder = holders[partition];
        if (holder == null || !holder.place.executor().equals(from)) {
            return false;
        }
        remove(partition, holder);
        put(partition, to.value(), host);
        return true;
    }

    /** Outputs went in this generation, or moved, by nobody's fault: whoever looked for them before may not have found them. */
    void excuse(int generation) {
        excused = generation;
    }

    /** Whether that was so since an attempt of this generation began. */
    boolean isExcusedSince(int generation) {
        return excused >= generation;
    }

    /** Whether what the partition's task added to accumulators is to be counted: true once. */
    boolean count(int partition) {
        boolean first = !counted.get(partition);
        counted.set(partition);
        return first;
    }

    /** Drops one output, if it lies where it was looked for and is older than {@code generation}. */
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

    /** Drops what lies at these places and is older than {@code generation}; tells whether that was anything. */
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
