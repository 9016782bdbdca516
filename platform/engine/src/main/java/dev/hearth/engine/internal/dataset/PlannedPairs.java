package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.SinkKind;
import dev.hearth.engine.internal.plan.SourceKind;
import dev.hearth.engine.internal.plan.StepKind;
import dev.hearth.engine.internal.serial.Capture;
import dev.hearth.spi.error.ErrorCode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A dataset of keys and values. Immutable. */
final class PlannedPairs<K, V> extends PlannedRdd<Pair<K, V>> implements PairRdd<K, V> {
    private static final Spread HASHED = new Spread.Hashed();

    PlannedPairs(Runner runner, Lineage lineage, String name) {
        super(runner, lineage, name);
    }

    @Override
    public PairRdd<K, V> named(String given) {
        runner().keeper().show(id(), given);
        return new PlannedPairs<>(runner(), lineage(), given);
    }

    @Override
    public PlannedPairs<K, V> persist(StorageLevel level) {
        super.persist(level);
        return this;
    }

    @Override
    public PlannedPairs<K, V> unpersist(boolean blocking) {
        super.unpersist(blocking);
        return this;
    }

    @Override
    public PairRdd<K, V> reduceByKey(ReduceFunction<V> function, int partitions) {
        Capture join = capture(function, "reduceByKey");
        return new PlannedPairs<>(
                runner(), shuffled("reduceByKey", partitions, SinkKind.SHUFFLE_REDUCED, SourceKind.REDUCED, join), "");
    }

    @Override
    public <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, int partitions) {
        Capture combine = capture(combiner, "combineByKey");
        return new PlannedPairs<>(
                runner(),
                shuffled("combineByKey", partitions, SinkKind.SHUFFLE_COMBINED, SourceKind.COMBINED, combine),
                "");
    }

    @Override
    public PairRdd<K, List<V>> groupByKey(int partitions) {
        return new PlannedPairs<>(
                runner(), shuffled("groupByKey", partitions, SinkKind.SHUFFLE, SourceKind.GROUPED, Capture.NONE), "");
    }

    @Override
    public PairRdd<K, V> partitionBy(Partitioner partitioner) {
        Capture spread = capture(partitioner, "partitionBy");
        Lineage.Side side =
                side("partitionBy", partitioner.partitions(), SinkKind.SHUFFLE, Capture.NONE, new Spread.Given(spread));
        return new PlannedPairs<>(
                runner(), gathered(SourceKind.PAIRS, partitioner.partitions(), Capture.NONE, side), "");
    }

    @Override
    public PairRdd<K, V> sortByKey(boolean ascending, int partitions) {
        return sorted(Optional.empty(), Capture.NONE, ascending, partitions);
    }

    @Override
    @SuppressWarnings("unchecked") // it compares keys, and is given no others
    public PairRdd<K, V> sortByKey(Comparator<? super K> order, boolean ascending, int partitions) {
        Capture compare = capture(order, "sortByKey");
        return sorted(Optional.of((Comparator<Object>) order), compare, ascending, partitions);
    }

    private PairRdd<K, V> sorted(
            Optional<Comparator<Object>> order, Capture compare, boolean ascending, int partitions) {
        KeyRanges ranges = new KeyRanges(lineage(), partitions, order, !ascending);
        Lineage.Side side = side("sortByKey", partitions, SinkKind.SHUFFLE, Capture.NONE, ranges);
        Pipeline.Source source = new Pipeline.Source(SourceKind.SORTED, List.of(side.shuffle()), compare, !ascending);
        return new PlannedPairs<>(runner(), gathered(source, partitions, side), "");
    }

    @Override
    public <W> PairRdd<K, Pair<V, W>> join(PairRdd<K, W> other, int partitions) {
        return new PlannedPairs<>(runner(), both("join", other, partitions, SourceKind.JOINED), "");
    }

    @Override
    public <W> PairRdd<K, Pair<List<V>, List<W>>> cogroup(PairRdd<K, W> other, int partitions) {
        PairRdd<K, List<?>[]> lists =
                new PlannedPairs<>(runner(), both("cogroup", other, partitions, SourceKind.COGROUPED), "");
        return PairRdd.inTwo(lists);
    }

    @Override
    public <W> PairRdd<K, W> mapValues(MapFunction<? super V, ? extends W> function) {
        return new PlannedPairs<>(runner(), then(StepKind.MAP_VALUES, function, "mapValues"), "");
    }

    @Override
    public Map<K, V> collectAsMap() {
        Map<K, V> found = new LinkedHashMap<>();
        runner().run(actions("collectAsMap").collecting()).forEach(pair -> found.put(pair.key(), pair.value()));
        return found;
    }

    private Lineage both(String operation, PairRdd<K, ?> other, int partitions, SourceKind kind) {
        PlannedRdd<?> planned = mine(other, operation);
        Lineage.Side left = side(operation, partitions, SinkKind.SHUFFLE, Capture.NONE, HASHED);
        Lineage.Side right =
                new Lineage.Side(planned.lineage(), runner().nextShuffle(), SinkKind.SHUFFLE, Capture.NONE, HASHED);
        return gathered(kind, partitions, Capture.NONE, left, right);
    }

    private PlannedRdd<?> mine(PairRdd<K, ?> other, String operation) {
        if (other instanceof PlannedRdd<?> planned && planned.context() == context()) {
            return planned;
        }
        throw ErrorCode.BAD_ARGUMENT.failure(
                operation + ": " + other + " belongs to another context (expected: a dataset of this one)");
    }

    private Lineage shuffled(String operation, int partitions, SinkKind writing, SourceKind reading, Capture join) {
        return gathered(reading, partitions, join, side(operation, partitions, writing, join, HASHED));
    }

    private Lineage.Side side(String operation, int partitions, SinkKind kind, Capture join, Spread spread) {
        runner().refuseTasks(operation);
        if (partitions < 1) {
            throw ErrorCode.BAD_ARGUMENT.failure(operation + ": " + partitions + " partitions (expected: 1 or more)");
        }
        return new Lineage.Side(lineage(), runner().nextShuffle(), kind, join, spread);
    }

    private Lineage gathered(SourceKind kind, int partitions, Capture join, Lineage.Side... sides) {
        List<Integer> shuffles =
                List.of(sides).stream().map(Lineage.Side::shuffle).toList();
        return gathered(new Pipeline.Source(kind, shuffles, join, false), partitions, sides);
    }

    private Lineage gathered(Pipeline.Source source, int partitions, Lineage.Side... sides) {
        Lineage gathered = new Lineage.Shuffled(runner().nextDataset(), List.of(sides), source, partitions);
        source.shuffles().forEach(shuffle -> runner().watch(gathered, shuffle));
        return gathered;
    }
}
