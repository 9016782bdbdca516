package dev.hearth.engine.internal.dataset;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.JoinKind;
import dev.hearth.engine.internal.plan.KeyAggregation;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Dataset of key-value pairs, represented by its lineage. An operation skips its shuffle if the pairs are already
 * partitioned by the partitioner that the operation uses. Immutable.
 */
public final class PlannedPairs<K, V> extends PlannedRdd<Pair<K, V>> implements PairRdd<K, V> {
    private final Optional<Partitioner> spread;

    PlannedPairs(DatasetContext runner, Lineage lineage, String name) {
        this(runner, lineage, name, Optional.empty());
    }

    private PlannedPairs(DatasetContext runner, Lineage lineage, String name, Optional<Partitioner> spread) {
        super(runner, lineage, name, spread);
        this.spread = spread;
    }

    /**
     * A view of {@code dataset} with the operations of {@link PairRdd}; {@code dataset} itself if it already has them.
     */
    public static <K, V> PairRdd<K, V> of(DatasetContext runner, Rdd<Pair<K, V>> dataset) {
        runner.refuseTasks("pairs");
        return dataset instanceof PairRdd<K, V> already
                ? already
                : new PlannedPairs<>(
                        runner,
                        NarrowDatasets.lineageOf(runner, dataset, "pairs"),
                        dataset.name(),
                        dataset.partitioner());
    }

    /**
     * The partitioner of this dataset, if known. A sort has a lazy range partitioner until its keys are sampled, and
     * then the sampled one. If the sample has fewer ranges than this dataset has partitions, the lazy one remains.
     */
    @Override
    public Optional<Partitioner> partitioner() {
        return spread.map(known -> known instanceof LazyRangePartitioner ranges
                        && ranges.isPrepared()
                        && ranges.sampled().partitions() == partitions()
                ? ranges.sampled()
                : known);
    }

    @Override
    public PairRdd<K, V> named(String given) {
        return of(runner(), super.named(given));
    }

    @Override
    public PlannedPairs<K, V> persist(StorageLevel level) {
        super.persist(level);
        return this;
    }

    @Override
    public PlannedPairs<K, V> withResources(ResourceProfile profile) {
        super.withResources(profile);
        return this;
    }

    @Override
    public PlannedPairs<K, V> unpersist(boolean blocking) {
        super.unpersist(blocking);
        return this;
    }

    @Override
    public PairRdd<K, V> filter(FilterFunction<? super Pair<K, V>> function) {
        return of(runner(), super.filter(function));
    }

    @Override
    public PairRdd<K, V> coalesce(int partitions) {
        return of(runner(), super.coalesce(partitions));
    }

    @Override
    public PairRdd<K, V> reduceByKey(ReduceFunction<V> function, Partitioner partitioner) {
        return byKey("reduceByKey", partitioner, new KeyAggregation.Reduce(capture(function, "reduceByKey")));
    }

    @Override
    public <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, Partitioner partitioner) {
        return byKey("combineByKey", partitioner, new KeyAggregation.Combine(capture(combiner, "combineByKey")));
    }

    @Override
    public PairRdd<K, List<V>> groupByKey(Partitioner partitioner) {
        return byKey("groupByKey", partitioner, new KeyAggregation.Group());
    }

    /**
     * Plans an operation that aggregates the values of each key. It shuffles the pairs, unless {@code partitioner} has
     * already partitioned them; then it aggregates within each partition.
     */
    private <W> PairRdd<K, W> byKey(String operation, Partitioner partitioner, KeyAggregation aggregation) {
        PartitioningSpec wanted = spread(operation, partitioner);
        if (isPartitionedBy(partitioner)) {
            return pairs(
                    new Lineage.Transformed(
                            runner().nextDataset(), lineage(), new Step.AggregateByKey(aggregation), false),
                    partitioner);
        }
        Lineage.ShuffleSide side = side(lineage(), Optional.of(aggregation), wanted);
        ShuffleSource source = new ShuffleSource.Aggregated(side.shuffle(), aggregation);
        return pairs(shuffled(source, partitioner.partitions(), List.of(side)), partitioner);
    }

    @Override
    public PairRdd<K, V> partitionBy(Partitioner partitioner) {
        PartitioningSpec wanted = spread("partitionBy", partitioner);
        return isPartitionedBy(partitioner) ? this : pairs(repartitioned(wanted, partitioner), partitioner);
    }

    private Lineage repartitioned(PartitioningSpec wanted, Partitioner partitioner) {
        Lineage.ShuffleSide side = side(lineage(), Optional.empty(), wanted);
        return shuffled(new ShuffleSource.Pairs(side.shuffle()), partitioner.partitions(), List.of(side));
    }

    @Override
    public PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner) {
        return sorted("repartitionAndSortWithinPartitions", partitioner, CapturedFunction.NONE, false);
    }

    @Override
    public PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner, Comparator<? super K> order) {
        CapturedFunction compare = capture(order, "repartitionAndSortWithinPartitions");
        return sorted("repartitionAndSortWithinPartitions", partitioner, compare, false);
    }

    @Override
    public PairRdd<K, V> sortByKey(boolean ascending, int partitions) {
        return sorted(Optional.empty(), CapturedFunction.NONE, ascending, partitions);
    }

    @Override
    @SuppressWarnings("unchecked") // the comparator is called with keys alone
    public PairRdd<K, V> sortByKey(Comparator<? super K> order, boolean ascending, int partitions) {
        CapturedFunction compare = capture(order, "sortByKey");
        return sorted(Optional.of((Comparator<Object>) order), compare, ascending, partitions);
    }

    private PairRdd<K, V> sorted(
            Optional<Comparator<Object>> order, CapturedFunction compare, boolean ascending, int partitions) {
        if (partitions < 1) {
            throw tooFew(CallSite.operation("sortByKey"), partitions);
        }
        SampledKeyRanges ranges = new SampledKeyRanges(lineage(), partitions, order, !ascending);
        return sorted("sortByKey", new LazyRangePartitioner(runner(), ranges, partitions), compare, !ascending);
    }

    private PairRdd<K, V> sorted(
            String operation, Partitioner partitioner, CapturedFunction compare, boolean descending) {
        Lineage.ShuffleSide side = side(lineage(), Optional.empty(), spread(operation, partitioner));
        ShuffleSource source = new ShuffleSource.Sorted(side.shuffle(), compare, descending);
        return pairs(shuffled(source, partitioner.partitions(), List.of(side)), partitioner);
    }

    @Override
    public <W> PairRdd<K, Pair<V, W>> join(PairRdd<K, W> other, Partitioner partitioner) {
        return gather("join", partitioner, List.of(other), JoinKind.JOIN);
    }

    @Override
    public PairRdd<K, List<?>[]> gather(
            String operation, Partitioner partitioner, List<? extends PairRdd<K, ?>> others) {
        return gather(operation, partitioner, others, JoinKind.COGROUP);
    }

    /**
     * Cogroups this dataset and {@code others}. A dataset that is already partitioned by {@code partitioner} is read by
     * a narrow dependency; only the others are shuffled.
     */
    private <W> PairRdd<K, W> gather(
            String operation, Partitioner partitioner, List<? extends PairRdd<K, ?>> others, JoinKind join) {
        PartitioningSpec wanted = spread(operation, partitioner);
        List<PlannedPairs<K, ?>> all = new ArrayList<>();
        all.add(this);
        for (PairRdd<K, ?> other : others) {
            NarrowDatasets.lineageOf(runner(), other, operation);
            all.add((PlannedPairs<K, ?>) other);
        }
        if (all.stream().noneMatch(side -> side.isPartitionedBy(partitioner))) {
            List<Lineage.ShuffleSide> sides = all.stream()
                    .map(each -> side(each.lineage(), Optional.empty(), wanted))
                    .toList();
            List<Integer> shuffles =
                    sides.stream().map(Lineage.ShuffleSide::shuffle).toList();
            ShuffleSource source = new ShuffleSource.Cogrouped(shuffles, join);
            return pairs(shuffled(source, partitioner.partitions(), sides), partitioner);
        }
        List<Lineage> parents = new ArrayList<>();
        for (PlannedPairs<K, ?> side : all) {
            parents.add(side.isPartitionedBy(partitioner) ? side.lineage() : side.repartitioned(wanted, partitioner));
        }
        return pairs(
                NarrowDatasets.oneToOne(runner(), parents, parts -> new BranchSource.Cogrouped(parts, join)),
                partitioner);
    }

    @Override
    public <W> PairRdd<K, W> mapValues(MapFunction<? super V, ? extends W> function) {
        return new PlannedPairs<>(runner(), then(Step.MapValues::new, function, "mapValues"), "", spread);
    }

    @Override
    public <W> PairRdd<K, W> flatMapValues(FlatMapFunction<? super V, ? extends W> function) {
        return new PlannedPairs<>(runner(), then(Step.FlatMapValues::new, function, "flatMapValues"), "", spread);
    }

    @Override
    public Map<K, V> collectAsMap() {
        Map<K, V> found = new LinkedHashMap<>();
        runner().run(actions("collectAsMap").collecting()).forEach(pair -> found.put(pair.key(), pair.value()));
        return found;
    }

    /**
     * Whether {@code partitioner} would leave every pair of this dataset in its partition, because an equal partitioner
     * assigned them.
     */
    private boolean isPartitionedBy(Partitioner partitioner) {
        Partitioner known = spread.orElse(null);
        if (known == null || partitions() != partitioner.partitions()) {
            return false;
        }
        return known.equals(partitioner)
                || (known instanceof LazyRangePartitioner ranges
                        && ranges.isPrepared()
                        && ranges.sampled().equals(partitioner));
    }

    private PartitioningSpec spread(String operation, Partitioner partitioner) {
        runner().refuseTasks(operation);
        if (partitioner == null) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    CallSite.operation(operation) + ": partitioner null (expected: a Partitioner)");
        }
        if (partitioner.partitions() < 1) {
            throw tooFew(CallSite.operation(operation), partitioner.partitions());
        }
        if (partitioner instanceof HashPartitioner) {
            return new PartitioningSpec.Hashed();
        }
        return partitioner instanceof LazyRangePartitioner sorted
                ? sorted.ranges()
                : new PartitioningSpec.Custom(capture(partitioner, operation));
    }

    private static RuntimeException tooFew(String operation, int partitions) {
        return ErrorCode.BAD_ARGUMENT.failure(operation + ": " + partitions + " partitions (expected: 1 or more)");
    }

    private Lineage.ShuffleSide side(Lineage from, Optional<KeyAggregation> mapSide, PartitioningSpec wanted) {
        Lineage written =
                from.partitions() == 0 ? NarrowDatasets.emptyPartition(runner()) : from; // a shuffle needs a map task
        return new Lineage.ShuffleSide(written, runner().nextShuffle(), mapSide, wanted);
    }

    private Lineage shuffled(ShuffleSource source, int partitions, List<Lineage.ShuffleSide> sides) {
        Lineage shuffled = new Lineage.Shuffled(runner().nextDataset(), sides, source, partitions);
        source.shuffles().forEach(shuffle -> runner().watch(shuffled, shuffle));
        return shuffled;
    }

    private <W> PairRdd<K, W> pairs(Lineage lineage, Partitioner partitioner) {
        return new PlannedPairs<>(runner(), lineage, "", Optional.of(partitioner));
    }
}
