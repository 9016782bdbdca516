package dev.hearth.hadoop;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.function.MapFunction;
import java.util.Map;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.SequenceFileInputFormat;

/** Java types and the Writables in which sequence files keep them. Stateless. */
public final class WritableTypes {
    private static final Map<Class<?>, Class<? extends Writable>> WRITABLES = Map.of(
            String.class, Text.class,
            Integer.class, IntWritable.class,
            Long.class, LongWritable.class,
            Double.class, DoubleWritable.class,
            Float.class, FloatWritable.class,
            Boolean.class, BooleanWritable.class,
            byte[].class, BytesWritable.class,
            Void.class, NullWritable.class);

    private WritableTypes() {}

    /** The Writable that stands for {@code type}; Writables stand for themselves. Fails with {@code BAD_ARGUMENT}. */
    public static Class<? extends Writable> writable(Class<?> type) {
        if (Writable.class.isAssignableFrom(type)) {
            return type.asSubclass(Writable.class);
        }
        Class<? extends Writable> found = WRITABLES.get(type);
        if (found == null) {
            throw new HearthException(
                    "BAD_ARGUMENT",
                    "type " + type.getName()
                            + ": no Writable (expected: a Writable, String, byte[], or a boxed number);"
                            + " map the elements to one of these");
        }
        return found;
    }

    /** The Writable with the value of {@code object}. */
    static Writable toWritable(Object object) {
        if (object instanceof Writable writable) {
            return writable;
        } else if (object instanceof String text) {
            return new Text(text);
        } else if (object instanceof Integer number) {
            return new IntWritable(number);
        } else if (object instanceof Long number) {
            return new LongWritable(number);
        } else if (object instanceof Double number) {
            return new DoubleWritable(number);
        } else if (object instanceof Float number) {
            return new FloatWritable(number);
        } else if (object instanceof Boolean truth) {
            return new BooleanWritable(truth);
        } else if (object instanceof byte[] bytes) {
            return new BytesWritable(bytes);
        }
        return writableOf(object);
    }

    private static Writable writableOf(Object object) {
        if (object == null) {
            return NullWritable.get();
        }
        writable(object.getClass()); // fails with the reason
        throw new IllegalStateException(object.getClass().getName());
    }

    /** The value of a Writable, as {@code type}. */
    static Object fromWritable(Writable writable, Class<?> type) {
        if (Writable.class.isAssignableFrom(type)) {
            return type.cast(writable);
        } else if (writable instanceof Text text) {
            return type.cast(text.toString());
        } else if (writable instanceof IntWritable number) {
            return type.cast(number.get());
        } else if (writable instanceof LongWritable number) {
            return type.cast(number.get());
        } else if (writable instanceof DoubleWritable number) {
            return type.cast(number.get());
        } else if (writable instanceof FloatWritable number) {
            return type.cast(number.get());
        } else if (writable instanceof BooleanWritable truth) {
            return type.cast(truth.get());
        } else if (writable instanceof BytesWritable bytes) {
            return type.cast(bytes.copyBytes());
        }
        throw new ClassCastException(writable.getClass().getName() + " is no " + type.getName());
    }

    @SuppressWarnings("unchecked") // the readers of sequence files create what the files name
    static Class<? extends InputFormat<Writable, Writable>> sequenceFiles() {
        return (Class<? extends InputFormat<Writable, Writable>>) (Class<?>) SequenceFileInputFormat.class;
    }

    /** Turns Writables into Java values. */
    record FromWritables<K, V>(Class<K> key, Class<V> value)
            implements MapFunction<Pair<Writable, Writable>, Pair<K, V>> {
        @Override
        public Pair<K, V> apply(Pair<Writable, Writable> pair) {
            return Pair.of(key.cast(fromWritable(pair.key(), key)), value.cast(fromWritable(pair.value(), value)));
        }
    }

    /** Turns Java values into Writables. */
    record ToWritables<K, V>() implements MapFunction<Pair<K, V>, Pair<Writable, Writable>> {
        @Override
        public Pair<Writable, Writable> apply(Pair<K, V> pair) {
            return Pair.of(toWritable(pair.key()), toWritable(pair.value()));
        }
    }
}
