package dev.hearth.engine.internal.serializer;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Forms of arrays: numbers in one piece, objects one after the other. Stateless. */
final class ArraySerializers {
    private ArraySerializers() {}

    static void addTo(Map<Class<?>, TypeSerializer> forms) {
        forms.put(byte[].class, new Bytes());
        forms.put(
                boolean[].class,
                new ValueSerializers.Simple<>(
                        TypeTag.BOOLEANS,
                        ReferenceTracking.AFTERWARDS,
                        true,
                        boolean[].class,
                        ArraySerializers::writeBooleans,
                        ArraySerializers::readBooleans));
        add(forms, TypeTag.SHORTS, short[].class, Short.BYTES, array -> array.length, new Bulk<>() {
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
        add(forms, TypeTag.CHARS, char[].class, Character.BYTES, array -> array.length, new Bulk<>() {
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
        addWide(forms);
        addReal(forms);
        forms.put(Object[].class, new Objects(TypeTag.OBJECTS, Object[].class));
        forms.put(String[].class, new Objects(TypeTag.TEXTS, String[].class));
    }

    private static void addWide(Map<Class<?>, TypeSerializer> forms) {
        add(forms, TypeTag.INTS, int[].class, Integer.BYTES, array -> array.length, new Bulk<>() {
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
        add(forms, TypeTag.LONGS, long[].class, Long.BYTES, array -> array.length, new Bulk<>() {
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

    private static void addReal(Map<Class<?>, TypeSerializer> forms) {
        add(forms, TypeTag.FLOATS, float[].class, Float.BYTES, array -> array.length, new Bulk<>() {
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
        add(forms, TypeTag.DOUBLES, double[].class, Double.BYTES, array -> array.length, new Bulk<>() {
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

    /** One kind of array, to and from bytes in one piece. */
    private interface Bulk<A> {
        void copy(A array, ByteBuffer to);

        A copy(ByteBuffer from, int length);
    }

    private static <A> void add(
            Map<Class<?>, TypeSerializer> forms,
            int tag,
            Class<A> type,
            int width,
            ToIntFunction<A> length,
            Bulk<A> bulk) {
        Function<RecordReader, A> reading = in -> {
            int elements = in.readCount(width);
            RecordInput from = in.in();
            int at = from.position();
            from.moveTo(at + elements * width);
            return bulk.copy(buffer(from.array(), at, elements * width), elements);
        };
        forms.put(
                type,
                new ValueSerializers.Simple<>(
                        tag,
                        ReferenceTracking.AFTERWARDS,
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

    /** The most frequent of all, without anything in between. */
    private static final class Bytes extends TypeSerializer {
        Bytes() {
            super(TypeTag.BYTES, ReferenceTracking.AFTERWARDS, true);
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

    /** Arrays of objects of one class or interface, which is kept, other arrays included. */
    static final class Objects extends TypeSerializer {
        private final Class<?> component;

        Objects(int code, Class<?> type) {
            super(code, ReferenceTracking.BY_FORM, false);
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
                array[i] = in.get(); // refuses what is of another class
            }
            return array;
        }
    }
}
