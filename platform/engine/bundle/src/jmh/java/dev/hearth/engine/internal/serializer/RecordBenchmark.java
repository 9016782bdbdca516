package dev.hearth.engine.internal.serializer;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import com.esotericsoftware.kryo.kryo5.util.DefaultInstantiatorStrategy;
import dev.hearth.api.Pair;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.spi.net.Bytes;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;
import org.apache.fory.memory.MemoryBuffer;
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
import org.openjdk.jmh.infra.Blackhole;

/** Time to write and read a record, one after the other in one array, for Hearth and other serialisers. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RecordBenchmark {
    private static final int RECORDS = 1_000;
    private static final int ROOM = 1 << 22; // bytes for all records

    @Param({"INTEGERS", "LONG_AND_BYTES", "CLASS", "RECORD", "MAP"})
    Shape shape = Shape.CLASS;

    @Param({"OWN", "KRYO", "FORY", "JAVA"})
    Kind kind = Kind.OWN;

    private final List<Object> records = new ArrayList<>();
    private Format format = new Own();

    /** Kinds of records. */
    public enum Shape {
        INTEGERS(i -> Pair.of(i * 7919, i)),
        LONG_AND_BYTES(i -> Pair.of(i * 7919L << 20, bytes(i))),
        CLASS(Measured::new),
        RECORD(i -> new Point(i, i * 1_000_003L, i / 3.0)),
        MAP(Shape::map);

        private final IntFunction<Object> maker;

        Shape(IntFunction<Object> maker) {
            this.maker = maker;
        }

        private static byte[] bytes(int seed) {
            byte[] bytes = new byte[90];
            new Random(seed).nextBytes(bytes);
            return bytes;
        }

        private static Map<String, ArrayList<Integer>> map(int seed) {
            Map<String, ArrayList<Integer>> map = new HashMap<>();
            for (int i = 0; i < 10; i++) {
                map.put("word " + seed + i, new ArrayList<>(List.of(seed, i, i * i, 4)));
            }
            return map;
        }
    }

    /** A plain serialisable class. */
    public static final class Measured implements Serializable {
        private static final long serialVersionUID = 1L;
        int id;
        long ts;
        double v;

        Measured(int i) {
            id = i;
            ts = i * 1_000_003L;
            v = i / 3.0;
        }
    }

    /** A record. */
    public record Point(int id, long ts, double v) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Serialisers to compare. */
    public enum Kind {
        OWN,
        KRYO,
        FORY,
        JAVA;

        Format open() {
            return switch (this) {
                case OWN -> new Own();
                case KRYO -> new ByKryo();
                case FORY -> new ByFory();
                case JAVA -> new ByJava();
            };
        }
    }

    /** Writes or reads from the start of the array. */
    private interface Format {
        void rewind();

        void write(Object record);

        Object read();

        int written();
    }

    private static final class Own implements Format {
        private final ApplicationRecordFormat records =
                new ApplicationRecordFormat(new UserObjectSerializer(RecordBenchmark.class.getClassLoader()));
        private final RecordFormat.Writer writer = records.writer();
        private final RecordFormat.Reader reader = records.reader();
        private final RecordOutput out = new RecordOutput(ROOM);
        private final RecordInput in = new RecordInput();

        @Override
        public void rewind() {
            in.on(out.array(), 0, out.array().length);
            out.moveTo(0);
        }

        @Override
        public void write(Object record) {
            writer.write(record, out);
        }

        @Override
        public Object read() {
            return reader.read(in);
        }

        @Override
        public int written() {
            return out.position();
        }
    }

    private static final class ByKryo implements Format {
        private final Kryo kryo = new Kryo();
        private final Output out = new Output(ROOM);
        private final Input in = new Input();

        ByKryo() {
            kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
            for (Class<?> type : new Class<?>[] {
                Pair.class, byte[].class, Measured.class, Point.class, HashMap.class, ArrayList.class
            }) {
                kryo.register(type);
            }
            kryo.setReferences(false); // common for speed; loses shared and circular references
        }

        @Override
        public void rewind() {
            in.setBuffer(out.getBuffer());
            out.reset();
        }

        @Override
        public void write(Object record) {
            kryo.writeClassAndObject(out, record);
        }

        @Override
        public Object read() {
            return kryo.readClassAndObject(in);
        }

        @Override
        public int written() {
            return out.position();
        }
    }

    private static final class ByFory implements Format {
        private final Fory fory = Fory.builder()
                .withLanguage(Language.JAVA)
                .withRefTracking(false)
                .requireClassRegistration(true)
                .withAsyncCompilation(false)
                .build();
        private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(ROOM);

        ByFory() {
            for (Class<?> type : new Class<?>[] {Pair.class, Measured.class, Point.class}) {
                fory.register(type);
            }
        }

        @Override
        public void rewind() {
            buffer.readerIndex(0);
            buffer.writerIndex(0);
        }

        @Override
        public void write(Object record) {
            fory.serialize(buffer, record);
        }

        @Override
        public Object read() {
            return fory.deserialize(buffer);
        }

        @Override
        public int written() {
            return buffer.writerIndex();
        }
    }

    private static final class ByJava implements Format {
        private final UserObjectSerializer objects = new UserObjectSerializer(RecordBenchmark.class.getClassLoader());
        private final List<Bytes> all = new ArrayList<>();
        private int at;

        @Override
        public void rewind() {
            at = 0;
        }

        @Override
        public void write(Object record) {
            Bytes bytes = objects.write(record, "record");
            if (at < all.size()) {
                all.set(at++, bytes);
            } else {
                all.add(bytes);
                at++;
            }
        }

        @Override
        public Object read() {
            return objects.read(all.get(at++), "record");
        }

        @Override
        public int written() {
            return all.stream().mapToInt(Bytes::size).sum();
        }
    }

    @Setup
    public void open() {
        for (int i = 0; i < RECORDS; i++) {
            records.add(shape.maker.apply(i));
        }
        format = kind.open();
        write();
        System.out.println("bytes per record: " + format.written() / RECORDS);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int write() {
        format.rewind();
        for (int i = 0; i < RECORDS; i++) {
            format.write(records.get(i));
        }
        return format.written();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void read(Blackhole hole) {
        format.rewind();
        for (int i = 0; i < RECORDS; i++) {
            hole.consume(format.read());
        }
    }
}
