package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Serialised fields of a class in the order in which they are written: first the primitive fields, each with a fixed
 * width, then the references. Immutable; owned by the serializers of one application.
 */
final class FieldLayout {
    private static final long HASH_START = 0xcbf29ce484222325L; // 64-bit FNV-1a
    private static final long HASH_FACTOR = 0x100000001b3L;

    private final Class<?> type;
    private final List<Field> primitives;
    private final List<Field> references;

    private FieldLayout(Class<?> type, List<Field> fields) {
        this.type = type;
        this.primitives =
                fields.stream().filter(field -> field.getType().isPrimitive()).toList();
        this.references =
                fields.stream().filter(field -> !field.getType().isPrimitive()).toList();
    }

    /**
     * Returns the layout of a class. For a record, the fields are its components. Otherwise they are the fields of all
     * serialisable classes in the hierarchy, superclasses first.
     */
    static FieldLayout of(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                fields.add(field(type, component.getName()));
            }
            return new FieldLayout(type, fields);
        }
        List<Class<?>> levels = new ArrayList<>();
        for (Class<?> at = type; at != null && Serializable.class.isAssignableFrom(at); at = at.getSuperclass()) {
            levels.add(0, at);
        }
        for (Class<?> level : levels) {
            List<Field> own = new ArrayList<>();
            for (Field field : level.getDeclaredFields()) {
                if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
                    own.add(field);
                }
            }
            own.sort(Comparator.comparing(Field::getName));
            fields.addAll(own);
        }
        return new FieldLayout(type, fields);
    }

    private static Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException impossible) { // every component of a record has a field of its name
            throw new IllegalStateException(type.getName() + ": no field " + name, impossible);
        }
    }

    Class<?> type() {
        return type;
    }

    List<Field> primitives() {
        return primitives;
    }

    List<Field> references() {
        return references;
    }

    /** Returns the number of bytes that all primitive fields together take in a record. */
    int width() {
        return primitives.stream().mapToInt(field -> width(field.getType())).sum();
    }

    static int width(Class<?> primitive) {
        if (primitive == long.class || primitive == double.class) {
            return Long.BYTES;
        }
        if (primitive == int.class || primitive == float.class) {
            return Integer.BYTES;
        }
        return primitive == short.class || primitive == char.class ? Short.BYTES : 1;
    }

    /**
     * Returns a fingerprint of the names, types and order of the fields. Two processes with equal fingerprints have the
     * same version of the class.
     */
    String fingerprint() {
        StringBuilder text = new StringBuilder(type.isRecord() ? "record" : "class");
        for (List<Field> fields : List.of(primitives, references)) {
            for (Field field : fields) {
                text.append(';').append(field.getDeclaringClass().getName());
                text.append('.').append(field.getName());
                text.append(':').append(field.getType().getName());
            }
        }
        return fingerprint(text);
    }

    static String fingerprint(CharSequence text) {
        long hash = HASH_START;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * HASH_FACTOR;
        }
        return Long.toHexString(hash);
    }

    /**
     * Whether objects of the class contain only values, so neither shared objects nor cycles. References inside such
     * objects need no tracking.
     */
    boolean isLeaf() {
        return isLeaf(new HashSet<>());
    }

    private boolean isLeaf(Set<Class<?>> enclosing) {
        enclosing.add(type);
        return references.stream().allMatch(field -> isValue(field.getType(), enclosing));
    }

    private static boolean isValue(Class<?> type, Set<Class<?>> enclosing) {
        TypeSerializer serializer = BuiltInSerializers.of(type);
        if (serializer != null) {
            return serializer.sharing() == ReferenceTracking.NONE && Modifier.isFinal(type.getModifiers());
        }
        return type.isEnum()
                || (type.isRecord()
                        && !enclosing.contains(type)
                        && Serializable.class.isAssignableFrom(type)
                        && !ImmutabilityCheck.hasFormOfItsOwn(type)
                        && of(type).isLeaf(new HashSet<>(enclosing)));
    }
}
