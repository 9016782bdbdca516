package dev.hearth.engine.internal.serializer;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serializer that accesses fields by reflection, for classes without a generated codec. It produces the same bytes as a
 * codec. Immutable; unloaded with its application.
 */
final class ReflectiveSerializer extends TypeSerializer {
    private final Class<?> type;
    private final List<Field> primitives;
    private final List<Field> references;
    private final @Nullable Constructor<?> maker;
    private final @Nullable Constructor<?> canonical; // canonical constructor of a record
    private final int[] componentIndexes; // for each field, primitives first, its index among the record's components

    private ReflectiveSerializer(
            int code, FieldLayout layout, @Nullable Constructor<?> maker, @Nullable Constructor<?> canonical) {
        super(code, FieldSerializers.sharing(layout, layout.isLeaf()), layout.isLeaf());
        this.type = layout.type();
        this.primitives = layout.primitives();
        this.references = layout.references();
        this.maker = maker;
        this.canonical = canonical;
        this.componentIndexes = canonical == null ? new int[0] : componentIndexes(layout);
    }

    /**
     * Creates the serializer of the class that {@code layout} describes. Returns null if its fields, or a record's
     * constructor, are not accessible.
     */
    static @Nullable TypeSerializer of(int code, FieldLayout layout, @Nullable Constructor<?> maker) {
        for (List<Field> fields : List.of(layout.primitives(), layout.references())) {
            for (Field field : fields) {
                if (!field.trySetAccessible()) {
                    return null;
                }
            }
        }
        Constructor<?> canonical = layout.type().isRecord() ? canonical(layout.type()) : null;
        if (canonical != null && !canonical.trySetAccessible()) {
            return null;
        }
        return new ReflectiveSerializer(code, layout, maker, canonical);
    }

    private static Constructor<?> canonical(Class<?> record) {
        Class<?>[] types = Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        return Reflection.run(() -> record.getDeclaredConstructor(types));
    }

    private static int[] componentIndexes(FieldLayout layout) {
        List<String> names = Arrays.stream(layout.type().getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        List<Field> fields = new ArrayList<>(layout.primitives());
        fields.addAll(layout.references());
        return fields.stream().mapToInt(field -> names.indexOf(field.getName())).toArray();
    }

    @Override
    void write(Object value, RecordWriter out) {
        for (Field field : primitives) {
            writePrimitive(Reflection.run(() -> field.get(value)), out.out());
        }
        for (Field field : references) {
            out.accept(Reflection.run(() -> field.get(value)));
        }
    }

    private static void writePrimitive(Object value, RecordOutput out) {
        if (value instanceof Integer number) {
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeLong(number);
        } else if (value instanceof Double number) {
            out.writeDouble(number);
        } else if (value instanceof Float number) {
            out.writeFloat(number);
        } else if (value instanceof Short number) {
            out.writeShort(number);
        } else if (value instanceof Character character) {
            out.writeChar(character);
        } else if (value instanceof Boolean flag) {
            out.writeByte(flag ? 1 : 0);
        } else {
            out.writeByte((Byte) value);
        }
    }

    private static Object readPrimitive(Class<?> type, RecordInput in) {
        if (type == int.class) {
            return in.readInt();
        } else if (type == long.class) {
            return in.readLong();
        } else if (type == double.class) {
            return in.readDouble();
        } else if (type == float.class) {
            return in.readFloat();
        } else if (type == short.class) {
            return in.readShort();
        } else if (type == char.class) {
            return in.readChar();
        } else if (type == boolean.class) {
            return (in.readByte() & 1) != 0;
        }
        return in.readByte();
    }

    @Override
    Object read(RecordReader in) {
        return canonical == null ? readFields(in) : readComponents(in, canonical);
    }

    private Object readFields(RecordReader in) {
        Object object = FieldSerializers.instantiate(type, maker);
        if (sharing() == ReferenceTracking.BEFORE_CONTENT) {
            in.accept(object);
        }
        for (Field field : primitives) {
            set(field, object, readPrimitive(field.getType(), in.in()));
        }
        for (Field field : references) {
            set(field, object, in.get());
        }
        return object;
    }

    private static void set(Field field, Object owner, @Nullable Object value) {
        if (value != null && !field.getType().isPrimitive() && !field.getType().isInstance(value)) {
            throw new CorruptRecordException("record: a " + value.getClass().getName() + " for a field of type "
                    + field.getType().getName() + " (expected: an assignable one)");
        }
        Reflection.run(() -> {
            field.set(owner, value);
            return field;
        });
    }

    private Object readComponents(RecordReader in, Constructor<?> constructor) {
        @Nullable Object[] arguments = new Object[componentIndexes.length];
        int at = 0;
        for (Field field : primitives) {
            arguments[componentIndexes[at++]] = readPrimitive(field.getType(), in.in());
        }
        for (Field field : references) {
            Object value = in.get();
            if (value != null && !field.getType().isInstance(value)) {
                throw new CorruptRecordException("record: a " + value.getClass().getName() + " for a component of type "
                        + field.getType().getName() + " (expected: an assignable one)");
            }
            arguments[componentIndexes[at++]] = value;
        }
        return Reflection.run(() -> constructor.newInstance(arguments));
    }
}
