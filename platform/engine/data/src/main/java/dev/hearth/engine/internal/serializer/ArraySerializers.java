package dev.hearth.engine.internal.serializer;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Serializers for arrays: primitive elements are copied in bulk, objects one by one. Stateless. */
final class ArraySerializers {
    private ArraySerializers() {}

    static void addTo(Map<Class<?>, TypeSerializer> serializers) {
        serializers.put(byte[].class, new ByteArrays());
        serializers.put(
                boolean[].class,
                new ValueSerializers.FunctionSerializer<>(
                        TypeTag.BOOLEANS,
                        ReferenceTracking.AFTER_CONTENT,
                        true,
                        boolean[].class,
                        ArraySerializers::writeBooleans,
                        ArraySerializers::readBooleans));
        add(serializers, TypeTag.SHORTS, short[].class, Short.BYTES, array -> array.length, new BulkCopy<>() {
            @Override
            public void copy(short[] array, ByteBuffer to) {
                to.asShortBuffer().put(array);
            }

            @Override
            public short[] copy(ByteBuffer from, int length) {
                short[] array = new short[length];
                from.asShortBuffer().get(array);
                return array;
            }
        });
        add(serializers, TypeTag.CHARS, char[].class, Character.BYTES, array -> array.length, new BulkCopy<>() {
            @Override
            public void copy(char[] array, ByteBuffer to) {
                to.asCharBuffer().put(array);
            }

            @Override
            public char[] copy(ByteBuffer from, int length) {
                char[] array = new char[length];
                from.asCharBuffer().get(array);
                return array;
            }
        });
        addWide(serializers);
        addFloatingPoint(serializers);
        serializers.put(Object[].class, new ObjectArrays(TypeTag.OBJECTS, Object[].class));
        serializers.put(String[].class, new ObjectArrays(TypeTag.TEXTS, String[].class));
    }

    private static void addWide(Map<Class<?>, TypeSerializer> serializers) {
        add(serializers, TypeTag.INTS, int[].class, Integer.BYTES, array -> array.length, new BulkCopy<>() {
            @Override
            public void copy(int[] array, ByteBuffer to) {
                to.asIntBuffer().put(array);
            }

            @Override
            public int[] copy(ByteBuffer from, int length) {
                int[] array = new int[length];
                from.asIntBuffer().get(array);
                return array;
            }
        });
        add(serializers, TypeTag.LONGS, long[].class, Long.BYTES, array -> array.length, new BulkCopy<>() {
            @Override
            public void copy(long[] array, ByteBuffer to) {
                to.asLongBuffer().put(array);
            }

            @Override
            public long[] copy(ByteBuffer from, int length) {
                long[] array = new long[length];
                from.asLongBuffer().get(array);
                return array;
            }
        });
    }

    private static void addFloatingPoint(Map<Class<?>, TypeSerializer> serializers) {
        add(serializers, TypeTag.FLOATS, float[].class, Float.BYTES, array -> array.length, new BulkCopy<>() {
            @Override
            public void copy(float[] array, ByteBuffer to) {
                to.asFloatBuffer().put(array);
            }

            @Override
            public float[] copy(ByteBuffer from, int length) {
                float[] array = new float[length];
                from.asFloatBuffer().get(array);
                return array;
            }
        });
        add(serializers, TypeTag.DOUBLES, double[].class, Double.BYTES, array -> array.length, new BulkCopy<>() {
            @Override
            public void copy(double[] array, ByteBuffer to) {
                to.asDoubleBuffer().put(array);
            }

            @Override
            public double[] copy(ByteBuffer from, int length) {
                double[] array = new double[length];
                from.asDoubleBuffer().get(array);
                return array;
            }
        });
    }

    /**
     * Function pair that copies all elements of a primitive array at once to a byte buffer, and back to a new array.
     */
    private interface BulkCopy<A> {
        void copy(A array, ByteBuffer to);

        A copy(ByteBuffer from, int length);
    }

    private static <A> void add(
            Map<Class<?>, TypeSerializer> serializers,
            int tag,
            Class<A> type,
            int width,
            ToIntFunction<A> length,
            BulkCopy<A> bulk) {
        Function<RecordReader, A> reading = in -> {
            int elements = in.readCount(width);
            RecordInput from = in.in();
            int at = from.position();
            from.moveTo(at + elements * width);
            return bulk.copy(buffer(from.array(), at, elements * width), elements);
        };
        serializers.put(
                type,
                new ValueSerializers.FunctionSerializer<>(
                        tag,
                        ReferenceTracking.AFTER_CONTENT,
                        true,
                        type,
                        (array, writer) -> {
                            int elements = length.applyAsInt(array);
                            RecordOutput out = writer.out();
                            out.writeSize(elements);
                            int bytes = (int) Math.min(Integer.MAX_VALUE, (long) elements * width);
                            out.require(bytes);
                            bulk.copy(array, buffer(out.array(), out.position(), bytes));
                            out.moveTo(out.position() + bytes);
                        },
                        reading));
    }

    private static ByteBuffer buffer(byte[] array, int at, int bytes) {
        return ByteBuffer.wrap(array, at, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void writeBooleans(boolean[] array, RecordWriter writer) {
        RecordOutput out = writer.out();
        out.writeSize(array.length);
        out.require(array.length);
        for (boolean element : array) {
            out.writeByte(element ? 1 : 0);
        }
    }

    private static boolean[] readBooleans(RecordReader reader) {
        boolean[] array = new boolean[reader.readCount(1)];
        for (int i = 0; i < array.length; i++) {
            array[i] = reader.in().readByte() != 0;
        }
        return array;
    }

    /**
     * Serializer for byte arrays. They are the most frequent arrays, so they are copied without an intermediate buffer.
     */
    private static final class ByteArrays extends TypeSerializer {
        ByteArrays() {
            super(TypeTag.BYTES, ReferenceTracking.AFTER_CONTENT, true);
        }

        @Override
        void write(Object value, RecordWriter out) {
            byte[] bytes = (byte[]) value;
            RecordOutput to = out.out();
            to.writeSize(bytes.length);
            to.write(bytes, 0, bytes.length);
        }

        @Override
        Object read(RecordReader in) {
            return ValueSerializers.readBytes(in.in());
        }
    }

    /**
     * Serializer for arrays of objects or of arrays. A deserialised array has the same component type as the original.
     */
    static final class ObjectArrays extends TypeSerializer {
        private final Class<?> component;

        ObjectArrays(int code, Class<?> type) {
            super(code, ReferenceTracking.BEFORE_CONTENT, false);
            this.component = type.getComponentType();
        }

        @Override
        void write(Object value, RecordWriter out) {
            @Nullable Object[] array = (Object[]) value;
            out.out().writeSize(array.length);
            for (Object element : array) {
                out.accept(element);
            }
        }

        @Override
        Object read(RecordReader in) {
            @Nullable Object[] array = (Object[]) Array.newInstance(component, in.readCount(1));
            in.accept(array);
            for (int i = 0; i < array.length; i++) {
                array[i] = in.get(); // throws ArrayStoreException for an element of a wrong class
            }
            return array;
        }
    }
}
