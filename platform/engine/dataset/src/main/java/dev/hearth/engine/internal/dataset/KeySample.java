package dev.hearth.engine.internal.dataset;

import dev.hearth.api.RangePartitioner;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.dataset.RangeBounds.Weighed;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.sort.RowMergeSort;
import dev.hearth.engine.internal.sort.SortOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Random sample of the keys of a dataset of pairs, from which a sort computes its ranges. Each key has a weight: the
 * number of pairs that it represents. Immutable.
 */
final class KeySample {
    private static final int KEYS_PER_RANGE = 1_500; // enough for ranges that differ by a few percent
    private static final int KEYS_FREE = 500_000; // sample size that every heap can hold
    private static final int KEYS_MAX = 2_000_000; // largest sample size
    private static final int HEAP_BYTES_PER_KEY = 2048; // so the sample takes about a tenth of the heap
    private static final int DRAWN_FACTOR = 2; // samples too many keys, as partitions differ in size
    private static final double SPARSE_FACTOR =
            1.5; // a partition is sampled again if its share of the wanted keys exceeds its first sample by this factor
    private static final int AGAIN_FACTOR = 4; // limits the keys of the second sample, as a multiple of the wanted keys
    private static final String PURPOSE = "sample of keys for ";

    private final List<@Nullable Object[]> drawn; // by partition: the number of pairs, then sampled keys

    private KeySample(List<@Nullable Object[]> drawn) {
        this.drawn = drawn;
    }

    /**
     * Samples the keys of the dataset {@code from} by a job. If some partitions are much larger than average, a second
     * job samples more keys of them.
     */
    static KeySample of(DatasetContext runner, Lineage from, CallSite site, int ranges) {
        int wanted = wanted(ranges, Runtime.getRuntime().maxMemory());
        int each = Math.max(1, (int) Math.ceil((double) DRAWN_FACTOR * wanted / from.partitions()));
        List<@Nullable Object[]> drawn = new ArrayList<>(draw(
                runner, from, site, each, IntStream.range(0, from.partitions()).toArray()));
        double total = drawn.stream().mapToDouble(KeySample::pairs).sum();
        double due = wanted / Math.max(total, wanted); // the sampling probability of a pair
        int[] sparse = IntStream.range(0, drawn.size())
                .filter(i -> pairs(drawn.get(i)) * due > each * SPARSE_FACTOR)
                .toArray();
        if (sparse.length > 0) {
            double max = Arrays.stream(sparse)
                    .mapToDouble(i -> pairs(drawn.get(i)) * due)
                    .max()
                    .orElse(each);
            int again = (int) Math.ceil(Math.min(max, (double) AGAIN_FACTOR * wanted / sparse.length));
            List<@Nullable Object[]> more = draw(runner, from, site, Math.max(each, again), sparse);
            for (int i = 0; i < sparse.length; i++) {
                drawn.set(sparse[i], more.get(i));
            }
        }
        return new KeySample(drawn);
    }

    /** The number of keys to sample for {@code ranges} ranges, limited by the driver's heap size. */
    static int wanted(int ranges, long heapBytes) {
        long max = Math.min(KEYS_MAX, Math.max(KEYS_FREE, heapBytes / HEAP_BYTES_PER_KEY));
        return (int) Math.min(max, (long) KEYS_PER_RANGE * ranges);
    }

    private static long pairs(@Nullable Object[] drawn) {
        return drawn[0] instanceof Long pairs ? pairs : 0;
    }

    private static List<@Nullable Object[]> draw(
            DatasetContext runner, Lineage from, CallSite site, int each, int[] partitions) {
        return runner.run(new Action<List<@Nullable Object[]>>(
                        from,
                        new Sink.SampleKeys(each),
                        partitions,
                        site,
                        ResultCollector.collecting(
                                runner.objects(),
                                (values, read) -> Arrays.stream(values)
                                        .map(Object[].class::cast)
                                        .toList()))
                .forPurpose(PURPOSE));
    }

    /**
     * Computes from this sample a partitioner with {@code ranges} ranges of nearly equal weight. It has fewer ranges if
     * the sample has too few distinct keys.
     */
    CapturedFunction ranges(
            int ranges, Optional<Comparator<Object>> order, boolean descending, UserObjectSerializer objects) {
        return partitioner(RangeBounds.of(groups(order), ranges), order, descending, objects);
    }

    /** A range partitioner whose ranges have {@code bounds} as upper bounds, serialised for tasks. */
    static CapturedFunction partitioner(
            List<@Nullable Object> bounds,
            Optional<Comparator<Object>> order,
            boolean descending,
            UserObjectSerializer objects) {
        return CapturedFunction.of(new RangePartitioner<>(bounds, order, descending), objects, "ranges of keys");
    }

    /**
     * The distinct keys of the sample with their weights, in ascending order of the keys. A null key comes first,
     * because the comparator may not accept null.
     */
    private List<Weighed> groups(Optional<Comparator<Object>> order) {
        List<Weighed> keys = new ArrayList<>();
        double nulls = 0;
        for (@Nullable Object[] some : drawn) {
            double weight = (double) pairs(some) / Math.max(1, some.length - 1);
            for (int i = 1; i < some.length; i++) {
                if (some[i] == null) {
                    nulls += weight;
                } else {
                    keys.add(new Weighed(some[i], weight));
                }
            }
        }
        SortOrder comparing = new SortOrder(order, false);
        long[] rows = new long[keys.size()];
        Arrays.setAll(rows, i -> i);
        RowMergeSort.RowOrder byKey = (left, right) -> comparing.compare(key(keys, left), key(keys, right));
        RowMergeSort.sort(rows, new long[rows.length], 0, rows.length, byKey);
        List<Weighed> groups = new ArrayList<>();
        if (nulls > 0) {
            groups.add(new Weighed(null, nulls));
        }
        for (int begin = 0; begin < rows.length; ) {
            double weight = 0;
            int end = begin;
            do {
                weight += keys.get((int) rows[end++]).weight();
            } while (end < rows.length && byKey.compare(rows[begin], rows[end]) == 0);
            groups.add(new Weighed(key(keys, rows[begin]), weight));
            begin = end;
        }
        return groups;
    }

    private static Object key(List<Weighed> keys, long row) {
        Object key = keys.get((int) row).key();
        if (key == null) {
            throw new IllegalStateException("sample of keys: null (expected: counted separately)");
        }
        return key;
    }
}
