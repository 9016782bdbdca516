package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost per pair of aggregating and grouping: by Hearth's tables, by a HashMap of boxes, and by hand with int arrays.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@OperationsPerInvocation(AggregateBenchmark.PAIRS)
@State(Scope.Thread)
public class AggregateBenchmark {
    static final int PAIRS = 1_000_000;

    private static final long TOTAL_BYTES = 1L << 30;
    private static final int SEED = 7;

    @Param({"1000", "100000", "1000000"})
    private int keys;

    private int[] keyInts = {};
    private int[] valueInts = {};
    private Integer[] keyBoxes = {};
    private Integer[] valueBoxes = {};
    private String[] keyTexts = {};
    private final ReduceFunction<Integer> adding = Integer::sum;

    private final AggregationServices services = new AggregationServices() {
        private final TaskMemory memory = new ProcessMemory(0)
                .open(new MemorySettings(0.6, 0.5, OptionalLong.of(TOTAL_BYTES)))
                .open(0, () -> {});
        private final ObjectSizeEstimator sizes = new ObjectSizeEstimator();
        private final RecordFormat format =
                new ApplicationRecordFormat(new UserObjectSerializer(AggregateBenchmark.class.getClassLoader()));

        @Override
        public TaskMemory memory() {
            return memory;
        }

        @Override
        public TemporaryFiles files() {
            throw new IllegalStateException("spilled (expected: enough memory)");
        }

        @Override
        public RecordFormat format() {
            return format;
        }

        @Override
        public ObjectSizeEstimator sizes() {
            return sizes;
        }

        @Override
        public boolean inOrder() {
            return true;
        }

        @Override
        public void checkKilled() {}

        @Override
        public String subject() {
            return "benchmark";
        }
    };

    @Setup
    public void make() {
        SplittableRandom random = new SplittableRandom(SEED);
        keyInts = random.ints(PAIRS, 0, keys).toArray();
        valueInts = random.ints(PAIRS, 0, 1000).toArray();
        keyBoxes = new Integer[PAIRS];
        valueBoxes = new Integer[PAIRS];
        keyTexts = new String[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            keyBoxes[i] = keyInts[i];
            valueBoxes[i] = valueInts[i];
            keyTexts[i] = "key " + keyInts[i];
        }
    }

    private static long sum(Iterator<Object> pairs) {
        long sum = 0;
        while (pairs.hasNext()) {
            Pair<?, ?> pair = (Pair<?, ?>) pairs.next();
            sum += (Integer) pair.value();
        }
        return sum;
    }

    @Benchmark
    public long combinesBoxes() {
        HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(adding));
        for (int i = 0; i < PAIRS; i++) {
            combining.pair(keyBoxes[i], valueBoxes[i]);
        }
        return sum(combining.pairs());
    }

    @Benchmark
    public long combinesColumns() {
        HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(adding));
        combining.columns(new Column.Ints(keyInts, PAIRS), new Column.Ints(valueInts, PAIRS));
        return sum(combining.pairs());
    }

    @Benchmark
    public long combinesTexts() {
        HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(adding));
        for (int i = 0; i < PAIRS; i++) {
            combining.pair(keyTexts[i], valueBoxes[i]);
        }
        return sum(combining.pairs());
    }

    @Benchmark
    public long combinesBoxesInAHashMap() {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < PAIRS; i++) {
            map.merge(keyBoxes[i], valueBoxes[i], Integer::sum);
        }
        long sum = 0;
        for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
            sum += entry.getValue();
        }
        return sum;
    }

    @Benchmark
    public long combinesTextsInAHashMap() {
        Map<String, Integer> map = new HashMap<>();
        for (int i = 0; i < PAIRS; i++) {
            map.merge(keyTexts[i], valueBoxes[i], Integer::sum);
        }
        long sum = 0;
        for (Map.Entry<String, Integer> entry : map.entrySet()) {
            sum += entry.getValue();
        }
        return sum;
    }

    @Benchmark
    public long combinesByHand() {
        int mask = Integer.highestOneBit(keys * 2) * 2 - 1;
        int[] known = new int[mask + 1];
        int[] sums = new int[mask + 1];
        for (int i = 0; i < PAIRS; i++) {
            int key = keyInts[i] + 1;
            int at = (key * 0x9E3779B9 >>> 7) & mask;
            while (known[at] != 0 && known[at] != key) {
                at = (at + 1) & mask;
            }
            known[at] = key;
            sums[at] += valueInts[i];
        }
        long sum = 0;
        for (int value : sums) {
            sum += value;
        }
        return sum;
    }

    @Benchmark
    public long groupsColumns() {
        HashGrouper grouping = new HashGrouper(services, 1);
        grouping.side(0).columns(new Column.Ints(keyInts, PAIRS), new Column.Ints(valueInts, PAIRS));
        long sum = 0;
        for (Iterator<Object> groups = grouping.groups(); groups.hasNext(); ) {
            for (Object value : (List<?>) ((Pair<?, ?>) groups.next()).value()) {
                sum += (Integer) value;
            }
        }
        return sum;
    }

    @Benchmark
    public long groupsTexts() {
        HashGrouper grouping = new HashGrouper(services, 1);
        for (int i = 0; i < PAIRS; i++) {
            grouping.side(0).pair(keyTexts[i], valueBoxes[i]);
        }
        long sum = 0;
        for (Iterator<Object> groups = grouping.groups(); groups.hasNext(); ) {
            for (Object value : (List<?>) ((Pair<?, ?>) groups.next()).value()) {
                sum += (Integer) value;
            }
        }
        return sum;
    }

    @Benchmark
    public long groupsBoxesInAHashMap() {
        Map<Integer, List<Integer>> map = new HashMap<>();
        for (int i = 0; i < PAIRS; i++) {
            map.computeIfAbsent(keyBoxes[i], missing -> new ArrayList<>()).add(valueBoxes[i]);
        }
        long sum = 0;
        for (List<Integer> values : map.values()) {
            for (int value : values) {
                sum += value;
            }
        }
        return sum;
    }
}
