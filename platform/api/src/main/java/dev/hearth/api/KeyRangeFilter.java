package dev.hearth.api;

import dev.hearth.api.function.FilterFunction;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Keeps the pairs whose key, by the order {@code order}, is between {@code lower} and {@code upper}, both inclusive.
 */
record KeyRangeFilter<K, V>(Comparator<? super K> order, K lower, K upper) implements FilterFunction<Pair<K, V>> {
    @Override
    public boolean test(Pair<K, V> pair) {
        return order.compare(pair.key(), lower) >= 0 && order.compare(pair.key(), upper) <= 0;
    }

    /**
     * Filters the pairs. If the dataset is range partitioned, partitions outside of the range are not computed. This
     * requires that {@code order} and the partitioner both use the natural order.
     */
    static <K, V> PairRdd<K, V> filter(PairRdd<K, V> pairs, Comparator<? super K> order, K lower, K upper) {
        KeyRangeFilter<K, V> within = new KeyRangeFilter<>(order, lower, upper);
        if (order instanceof NaturalOrder
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
