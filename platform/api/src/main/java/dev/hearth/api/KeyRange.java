package dev.hearth.api;

import dev.hearth.api.function.FilterFunction;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Whether a pair's key is from {@code lower} to {@code upper}. */
record KeyRange<K, V>(Comparator<? super K> order, K lower, K upper) implements FilterFunction<Pair<K, V>> {
    @Override
    public boolean test(Pair<K, V> pair) {
        return order.compare(pair.key(), lower) >= 0 && order.compare(pair.key(), upper) <= 0;
    }

    /** Leaves out partitions of other ranges, where keys are parted by ranges in the same order. */
    static <K, V> PairRdd<K, V> filter(PairRdd<K, V> pairs, Comparator<? super K> order, K lower, K upper) {
        KeyRange<K, V> within = new KeyRange<>(order, lower, upper);
        if (order instanceof Natural
                && order.compare(lower, upper) <= 0
                && pairs.partitioner().orElse(null) instanceof RangePartitioner<?> ranges
                && ranges.isNatural()
                && ranges.partitions() <= pairs.partitions()) {
            int one = ranges.partition(lower);
            int other = ranges.partition(upper);
            return pairs.context()
                    .pairs(pairs.pick(IntStream.rangeClosed(Math.min(one, other), Math.max(one, other))
                            .boxed()
                            .toList()))
                    .filter(within);
        }
        return pairs.filter(within);
    }
}
