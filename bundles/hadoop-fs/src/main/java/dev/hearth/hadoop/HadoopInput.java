package dev.hearth.hadoop;

import dev.hearth.api.HearthContext;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Placed;
import dev.hearth.api.Rdd;
import java.util.List;

/** The splits of an input, from which datasets are made. Immutable. */
public final class HadoopInput<K, V> {
    private final HearthContext context;
    private final FormatInput<K, V> source;
    private final ReadRules rules;
    private final List<Placed<SplitBytes>> splits;

    HadoopInput(HearthContext context, FormatInput<K, V> source, ReadRules rules, List<Placed<SplitBytes>> splits) {
        this.context = context;
        this.source = source;
        this.rules = rules;
        this.splits = List.copyOf(splits);
    }

    /** The records of all splits. */
    public PairRdd<K, V> pairs() {
        return context.pairs(mapPartitionsWithInputSplit(new ReadSplits.Same<K, V>()));
    }

    /**
     * Applies {@code function} to each split and its records.
     * <pre>{@code Rdd<String> names = input.mapPartitionsWithInputSplit((split, records) ->
     *         List.of(((FileSplit) split).getPath().getName()).iterator());}</pre>
     */
    public <R> Rdd<R> mapPartitionsWithInputSplit(SplitFunction<K, V, R> function) {
        Rdd<SplitBytes> placed = context.parallelizeAt(splits);
        return placed.mapPartitions(new ReadSplits<>(source, rules, function));
    }

    /** The number of splits, each of which becomes a partition. */
    public int splits() {
        return splits.size();
    }
}
