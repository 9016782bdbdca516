package dev.hearth.engine.internal.sort;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.memory.MeteredTaskMemory;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.shuffle.LazyRecordReader;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time to sort one partition, in milliseconds: 1.25 million pairs of a key and 90 bytes, from shuffle pages to ordered
 * pairs. For comparison: the same pairs deserialised and sorted as objects, and arrays of numbers alone. Memory is
 * never refused.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
@Warmup(iterations = 5)
@Measurement(iterations = 7)
public class ExternalSorterBenchmark {
    private static final int PAIRS = 1_250_000;
    private static final int PAGE_BYTES = 128 * 1024;
    private static final int VALUE_BYTES = 90;

    /** Kinds of keys. */
    public enum Keys {
        LONGS,
        WORDS,
        ALIKE_WORDS
    }

    @Param({"LONGS", "WORDS", "ALIKE_WORDS"})
    public Keys keys;

    private final ApplicationRecordFormat records =
            new ApplicationRecordFormat(new UserObjectSerializer(ExternalSorterBenchmark.class.getClassLoader()));
    private final List<byte[]> pages = new ArrayList<>();
    private long[] numbers = {};

    /** Fills the pages. */
    @Setup
    public void fill() {
        Random random = new Random(1);
        numbers = random.longs(PAIRS).toArray();
        RecordOutput out = new RecordOutput(PAGE_BYTES);
        var writer = records.writer();
        for (long number : numbers) {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            writer.write(key(number), out);
            writer.write(value, out);
            if (out.position() > PAGE_BYTES - 2 * VALUE_BYTES) {
                pages.add(Arrays.copyOf(out.array(), out.position()));
                out.moveTo(0);
            }
        }
        pages.add(Arrays.copyOf(out.array(), out.position()));
    }

    private Comparable<?> key(long number) {
        return switch (keys) {
            case LONGS -> number;
            case WORDS -> Long.toString(number >>> 1, Character.MAX_RADIX);
            case ALIKE_WORDS -> "user/of/the/application/" + (number & 0xFFFFF);
        };
    }

    /** The external sort. */
    @Benchmark
    public long sorter() {
        SortServices services = new SortServices(
                new EndlessMemory(),
                () -> records,
                () -> {
                    throw new IllegalStateException("files: requested (expected: enough memory)");
                },
                ObjectSizeEstimator::new,
                () -> {});
        try (ExternalSorter sorter =
                new ExternalSorter(services, new SortOrder(Optional.empty(), false), "benchmark")) {
            for (byte[] page : pages) {
                sorter.encoded(page, 0, page.length, true, LazyRecordReader.unwrapped(sorter.reader()));
            }
            return sum(sorter.sorted());
        }
    }

    /** A list of pairs, sorted by comparing keys. */
    @Benchmark
    public long objects() {
        List<Pair<?, ?>> pairs = new ArrayList<>(PAIRS);
        var reader = records.reader();
        for (byte[] page : pages) {
            ((PairConsumer) (key, value) -> pairs.add(new Pair<>(key, value)))
                    .encoded(page, 0, page.length, true, reader);
        }
        pairs.sort(ExternalSorterBenchmark.byKey());
        return sum(pairs.iterator());
    }

    @SuppressWarnings("unchecked") // keys are comparable
    private static Comparator<Pair<?, ?>> byKey() {
        return (left, right) -> ((Comparable<Object>) left.key()).compareTo(right.key());
    }

    /** The keys alone, sorted by the JDK. */
    @Benchmark
    public long numbersAlone() {
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted[PAIRS / 2];
    }

    /** Keys with a row each, by the prefix sort. */
    @Benchmark
    public long numbersWithRows() {
        long[] sorted = numbers.clone();
        long[] rows = new long[PAIRS];
        Arrays.setAll(rows, i -> i);
        PrefixRadixSort.sort(sorted, rows, new long[PAIRS], new long[PAIRS], 0, PAIRS);
        return rows[PAIRS / 2];
    }

    private static long sum(Iterator<?> pairs) {
        long sum = 0;
        while (pairs.hasNext()) {
            Pair<?, ?> pair = (Pair<?, ?>) pairs.next();
            sum = 31 * sum + ((byte[]) pair.value())[VALUE_BYTES / 2];
        }
        return sum;
    }

    /** A task's memory that grants every request. */
    private static final class EndlessMemory extends MeteredTaskMemory {
        @Override
        public long take(long wanted, Spillable consumer) {
            return wanted;
        }

        @Override
        public void require(long bytes, String subject) {}

        @Override
        public void give(long bytes, Spillable consumer) {}

        @Override
        public void give(long bytes) {}

        @Override
        public long close() {
            return 0;
        }
    }
}
