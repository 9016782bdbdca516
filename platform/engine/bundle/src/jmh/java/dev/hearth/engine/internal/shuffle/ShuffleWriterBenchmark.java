package dev.hearth.engine.internal.shuffle;

import dev.hearth.api.Pair;
import dev.hearth.api.Partitioner;
import dev.hearth.api.RangePartitioner;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Cost of a pair for a map task that writes it to memory, and for a reducer that reads it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
public class ShuffleWriterBenchmark {
    private static final int RECORDS = 500_000;
    private static final int SHUFFLE = 1;
    private static final long MEMORY_BYTES = 1L << 30;

    @Param({"INTEGERS", "LONG_BYTES", "STRING_INTEGER", "RANGES", "RECORDS"})
    Shape shape = Shape.INTEGERS;

    @Param({"8", "2000"})
    int readers;

    private @Nullable Pair<?, ?>[] pairs = {};
    private TestingShuffleServices parts =
            new TestingShuffleServices(MEMORY_BYTES, Path.of(System.getProperty("java.io.tmpdir")));
    private ShuffleStore store = new ShuffleStore(parts);
    private Optional<Partitioner> partitioner = Optional.empty();

    /** Kind of the pairs. */
    public enum Shape {
        INTEGERS(i -> Pair.of(mixed(i), i)),
        LONG_BYTES(i -> Pair.of((long) mixed(i) << 20, bytes(i))),
        STRING_INTEGER(i -> Pair.of("word" + mixed(i), i)),
        RANGES(i -> Pair.of((long) mixed(i), i)),
        RECORDS(i -> Pair.of(mixed(i), new Point(i, i)));

        private final IntFunction<Pair<?, ?>> pair;

        Shape(IntFunction<Pair<?, ?>> pair) {
            this.pair = pair;
        }
    }

    /** An immutable object. */
    public record Point(int x, int y) implements Serializable {}

    private static int mixed(int i) {
        return i * 0x9E3779B9 >>> 1;
    }

    private static byte[] bytes(int seed) {
        byte[] bytes = new byte[90];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Setup
    public void fill() {
        pairs = new Pair<?, ?>[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            pairs[i] = shape.pair.apply(i);
        }
        if (shape == Shape.RANGES) {
            int each = (int) ((1L << 31) / readers);
            List<Long> bounds =
                    IntStream.range(1, readers).mapToObj(i -> (long) i * each).toList();
            partitioner = Optional.of(new RangePartitioner<>(bounds, Optional.empty(), false));
        }
    }

    @TearDown
    public void close() {
        parts.close();
    }

    private MapOutput output() throws Exception {
        TaskMemory memory = parts.task();
        ShuffleWriter writer = new ShuffleWriter(store, memory, SHUFFLE, 0, readers, partitioner);
        for (Pair<?, ?> pair : pairs) {
            if (pair != null) {
                writer.pair(pair.key(), pair.value());
            }
        }
        MapOutput output = writer.finish();
        memory.close();
        return output;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long write() throws Exception {
        MapOutput output = output();
        long bytes = output.totalBytes();
        output.delete();
        return bytes;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void writeAndMoveToDisk() throws Exception {
        MapOutput output = output();
        output.evict(parts);
        output.delete();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void writeAndRead(Blackhole hole) throws Exception {
        MapOutput output = output();
        RecordFormat.Reader reader = new LazyRecordReader(parts::records);
        for (int i = 0; i < readers; i++) {
            output.block(i).send(new Sums(hole), reader);
        }
        output.delete();
    }

    private record Sums(Blackhole hole) implements PairConsumer {
        @Override
        public void pair(@Nullable Object key, @Nullable Object value) {
            hole.consume(key);
            hole.consume(value);
        }

        @Override
        public void columns(Column keys, Column values) {
            hole.consume(keys);
            hole.consume(values);
        }
    }
}
