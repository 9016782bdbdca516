package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
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
 * Encodes and decodes a batch of 1,000 launches. The goal is 100 microseconds, without allocation except for the
 * result.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LaunchBatchBenchmark {
    private static final int TASKS = 1_000;
    private static final int MESSAGE_BYTES_MAX = 1024 * 1024;

    private static final Protocol PROTOCOL = Protocol.named("launches", MethodHandles.lookup())
            .message(1, Launch.class)
            .message(2, InputLaunch.class)
            .message(3, NamedLaunch.class)
            .build();

    @Param({"false", "true"})
    boolean compiled;

    @Param({"NUMBERS", "INPUTS", "NAMES"})
    Content content = Content.NUMBERS;

    private final ProtocolCodec codec = new ProtocolCodec(PROTOCOL);
    private final WireOutput out = new WireOutput(MESSAGE_BYTES_MAX);
    private Record batch = content.batch();
    private byte[] bytes = {};

    /** Content of a launch besides its numbers. */
    public enum Content {
        NUMBERS {
            @Override
            Record batch() {
                return new Launch(1L << 40, tasks().mapToObj(TaskLaunch::of).toList());
            }
        },
        INPUTS {
            @Override
            Record batch() {
                Bytes input = Bytes.owning(new byte[16]);
                return new InputLaunch(
                        1L << 40,
                        tasks().mapToObj(task -> new TaskInput(task, (int) task, 0, input))
                                .toList());
            }
        },
        NAMES {
            @Override
            Record batch() {
                return new NamedLaunch(
                        1L << 40,
                        tasks().mapToObj(task -> new TaskName(task, (int) task, 0, new Name("host-" + task % 100)))
                                .toList());
            }
        };

        abstract Record batch();

        private static LongStream tasks() {
            return LongStream.range(1_000_000, 1_000_000 + TASKS);
        }
    }

    record Launch(long template, List<TaskLaunch> tasks) {}

    record TaskLaunch(long task, int partition, int attempt) {
        static TaskLaunch of(long task) {
            return new TaskLaunch(task, (int) (task % TASKS), 0);
        }
    }

    record InputLaunch(long template, List<TaskInput> tasks) {}

    record TaskInput(long task, int partition, int attempt, Bytes input) {}

    record NamedLaunch(long template, List<TaskName> tasks) {}

    record TaskName(long task, int partition, int attempt, Name name) {}

    record Name(String value) {}

    @Setup
    public void prepare() {
        batch = content.batch();
        if (compiled) {
            codec.compile();
        } else {
            codec.stayGeneric();
        }
        encode();
        bytes = Arrays.copyOf(out.array(), out.size());
    }

    @Benchmark
    public int encode() {
        out.reset();
        codec.encode(batch, out);
        return out.size();
    }

    @Benchmark
    public Record decode() {
        return codec.decode(new WireInput(bytes, 0, bytes.length));
    }

    @Benchmark
    public Record roundTrip() {
        encode();
        return codec.decode(new WireInput(out.array(), 0, out.size()));
    }
}
