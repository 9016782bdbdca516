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
 * What travels of the objects of one class, in the order in which it is written: first all that is primitive, at fixed widths,
 * then what fields refer to. Immutable; kept by the forms of one application alone.
 */
final class FieldLayout {
    private static final long HASH_START = 0xcbf29ce484222325L; // FNV-1a, of 64 bits
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

    /** Of a record its components, else the fields of every level that is serializable, from the top. */
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
        } catch (NoSuchFieldException impossible) { // a component has a field of its name
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

    /** What the primitive fields take together. */
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

    /** Tells classes of one name apart that do not have the same fields in the same order. */
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

    /** Whether nothing can be within its objects that is shared or refers back. */
    boolean isLeaf() {
        return isLeaf(new HashSet<>());
    }

    private boolean isLeaf(Set<Class<?>> around) {
        around.add(type);
        return references.stream().allMatch(field -> isValue(field.getType(), around));
    }

    private static boolean isValue(Class<?> type, Set<Class<?>> around) {
        TypeSerializer form = BuiltInSerializers.of(type);
        if (form != null) {
            return form.sharing() == ReferenceTracking.NONE && Modifier.isFinal(type.getModifiers());
        }
        return type.isEnum()
                || (type.isRecord()
                        && !around.contains(type)
                        && Serializable.class.isAssignableFrom(type)
                        && !ImmutabilityCheck.hasFormOfItsOwn(type)
                        && of(type).isLeaf(new HashSet<>(around)));
    }
}
