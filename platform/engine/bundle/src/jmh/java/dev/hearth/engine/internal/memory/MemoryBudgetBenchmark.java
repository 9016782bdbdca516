package dev.hearth.engine.internal.memory;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cost of a memory budget to task attempts that reserve nothing, small steps, or a mebibyte at a time. Run with {@code
 * -t 1} and {@code -t 2}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx512m")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class MemoryBudgetBenchmark {
    private static final long TOTAL_BYTES = 1L << 30;
    private static final int SMALL_BYTES = 4096;
    private static final int LARGE_BYTES = 1024 * 1024;
    private static final Runnable ALIVE = () -> {};

    private final ProcessMemory process = new ProcessMemory(0);
    private final MemoryBudget budget = process.open(new MemorySettings(0.6, 0.5, OptionalLong.of(TOTAL_BYTES)));

    /** The attempt of one thread. */
    @State(Scope.Thread)
    public static class OwnAttempt implements Spillable {
        private TaskMemory memory = new ProcessMemory(0)
                .open(new MemorySettings(0.6, 0.5, OptionalLong.of(1)))
                .open(0, ALIVE);

        @Setup
        public void open(MemoryBudgetBenchmark benchmark) {
            memory = benchmark.budget.open(1, ALIVE);
        }

        @TearDown
        public void close() {
            memory.close();
        }

        @Override
        public long spill(long wanted) {
            return 0;
        }
    }

    @Benchmark
    public long opensAndClosesUnused() {
        return budget.open(1, ALIVE).close();
    }

    @Benchmark
    public long takesAndReleasesLittle(OwnAttempt attempt) {
        long taken = attempt.memory.take(SMALL_BYTES, attempt);
        attempt.memory.give(taken, attempt);
        return taken;
    }

    @Benchmark
    public long takesAndReleasesMuch(OwnAttempt attempt) {
        long taken = attempt.memory.take(4 * LARGE_BYTES, attempt);
        attempt.memory.give(taken, attempt);
        return taken;
    }

    @Benchmark
    public long opensTakesLittleAndCloses(OwnAttempt attempt) {
        TaskMemory memory = budget.open(1, ALIVE);
        long taken = memory.take(SMALL_BYTES, attempt);
        memory.give(taken, attempt);
        return memory.close();
    }
}
