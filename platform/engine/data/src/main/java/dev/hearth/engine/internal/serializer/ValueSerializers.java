package dev.hearth.engine.internal.serializer;

import dev.hearth.api.Pair;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Serializers for boxes, strings, big numbers and pairs. Stateless. */
final class ValueSerializers {
    private ValueSerializers() {}

    /** Serializer that consists of a function for writing and a function for reading. */
    static final class FunctionSerializer<T> extends TypeSerializer {
        private final Class<T> type;
        private final BiConsumer<T, RecordWriter> writing;
        private final Function<RecordReader, T> reading;

        FunctionSerializer(
                int tag,
                ReferenceTracking sharing,
                boolean leaf,
                Class<T> type,
                BiConsumer<T, RecordWriter> writing,
                Function<RecordReader, T> reading) {
            super(tag, sharing, leaf);
            this.type = type;
            this.writing = writing;
            this.reading = reading;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writing.accept(type.cast(value), out);
        }

        @Override
        Object read(RecordReader in) {
            return reading.apply(in);
        }
    }

    static <T> TypeSerializer value(
            int tag, Class<T> type, BiConsumer<T, RecordOutput> writing, Function<RecordInput, T> reading) {
        return new FunctionSerializer<>(
                tag,
                ReferenceTracking.NONE,
                true,
                type,
                (value, out) -> writing.accept(value, out.out()),
                in -> reading.apply(in.in()));
    }

    static void writeInt(int value, RecordOutput out) {
        if (value == (short) value) {
            out.writeTagged(TypeTag.SHORT_INT, (short) value);
        } else {
            out.writeTagged(TypeTag.INT, value);
        }
    }

    static void writeLong(long value, RecordOutput out) {
        if (value == (int) value) {
            out.writeTagged(TypeTag.SHORT_LONG, (int) value);
        } else {
            out.writeTagged(TypeTag.LONG, value);
        }
    }

    static void addTo(Map<Class<?>, TypeSerializer> serializers) {
        serializers.put(String.class, new StringEncoding.LatinSerializer());
        // RecordWriter writes a Boolean as one of two tags, without this serializer
        serializers.put(Boolean.class, value(TypeTag.TRUE, Boolean.class, (b, out) -> {}, in -> true));
        serializers.put(
                Integer.class, value(TypeTag.INT, Integer.class, (i, out) -> out.writeInt(i), RecordInput::readInt));
        serializers.put(
                Long.class, value(TypeTag.LONG, Long.class, (l, out) -> out.writeLong(l), RecordInput::readLong));
        serializers.put(
                Double.class,
                value(TypeTag.DOUBLE, Double.class, (d, out) -> out.writeDouble(d), RecordInput::readDouble));
        serializers.put(
                Float.class, value(TypeTag.FLOAT, Float.class, (f, out) -> out.writeFloat(f), RecordInput::readFloat));
        serializers.put(
                Short.class, value(TypeTag.SHORT, Short.class, (s, out) -> out.writeShort(s), RecordInput::readShort));
        serializers.put(
                Byte.class, value(TypeTag.BYTE, Byte.class, (b, out) -> out.writeByte(b), RecordInput::readByte));
        serializers.put(
                Character.class,
                value(TypeTag.CHAR, Character.class, (c, out) -> out.writeChar(c), RecordInput::readChar));
        addObjects(serializers);
    }

    @SuppressWarnings("JavaUtilDate") // applications use them
    private static void addObjects(Map<Class<?>, TypeSerializer> serializers) {
        serializers.put(Pair.class, new PairSerializer());
        serializers.put(
                BigInteger.class,
                value(
                        TypeTag.BIG_INTEGER,
                        BigInteger.class,
                        ValueSerializers::writeBig,
                        in -> new BigInteger(readBytes(in))));
        serializers.put(
                BigDecimal.class,
                value(
                        TypeTag.BIG_DECIMAL,
                        BigDecimal.class,
                        (number, out) -> {
                            out.writeInt(number.scale());
                            writeBig(number.unscaledValue(), out);
                        },
                        in -> {
                            int scale = in.readInt();
                            return new BigDecimal(new BigInteger(readBytes(in)), scale);
                        }));
        serializers.put(
                UUID.class,
                value(
                        TypeTag.UUID,
                        UUID.class,
                        (id, out) -> {
                            out.writeLong(id.getMostSignificantBits());
                            out.writeLong(id.getLeastSignificantBits());
                        },
                        in -> new UUID(in.readLong(), in.readLong())));
        serializers.put(
                Date.class,
                new FunctionSerializer<>(
                        TypeTag.DATE,
                        ReferenceTracking.AFTER_CONTENT,
                        true,
                        Date.class,
                        (date, out) -> out.out().writeLong(date.getTime()),
                        in -> new Date(in.in().readLong())));
    }

    /**
     * Returns, by tag, the serializers that read objects of a class under a second tag: for example, a Long that was
     * written as an int.
     */
    static Map<Integer, TypeSerializer> alternatives() {
        return Map.of(
                TypeTag.WIDE_TEXT, value(TypeTag.WIDE_TEXT, String.class, (text, out) -> {}, StringEncoding::readWide),
                TypeTag.SHORT_LONG, value(TypeTag.SHORT_LONG, Long.class, (l, out) -> {}, in -> (long) in.readInt()),
                TypeTag.SHORT_INT, value(TypeTag.SHORT_INT, Integer.class, (i, out) -> {}, in -> (int) in.readShort()),
                TypeTag.FALSE, value(TypeTag.FALSE, Boolean.class, (b, out) -> {}, in -> false));
    }

    private static void writeBig(BigInteger number, RecordOutput out) {
        byte[] bytes = number.toByteArray();
        out.writeSize(bytes.length);
        out.write(bytes, 0, bytes.length);
    }

    static byte[] readBytes(RecordInput in) {
        int length = in.readSize();
        in.expect(length);
        int at = in.position();
        in.moveTo(at + length);
        return Arrays.copyOfRange(in.array(), at, at + length);
    }

    /** Serializer for pairs, of which most shuffle records consist. */
    private static final class PairSerializer extends TypeSerializer {
        PairSerializer() {
            super(TypeTag.PAIR, ReferenceTracking.ACYCLIC, false);
        }

        @Override
        void write(Object value, RecordWriter out) {
            Pair<?, ?> pair = (Pair<?, ?>) value;
            out.accept(pair.key());
            out.accept(pair.value());
        }

        @Override
        Object read(RecordReader in) {
            Object key = in.get();
            return new Pair<>(key, in.get());
        }
    }
}
