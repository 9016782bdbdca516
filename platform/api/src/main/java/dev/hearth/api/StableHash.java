package dev.hearth.api;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hash codes that are equal in all processes and consistent with equals. Enums are hashed by name, also inside of
 * collections and records, because their own hash codes differ between processes. Objects of all other classes, and
 * records that define equals or hashCode themselves, use their own hashCode. The only state is a cache of the accessors
 * of each record class.
 */
final class StableHash {
    private static final int FACTOR = 31;
    private static final Set<Class<?>> PLAIN = Set.of(
            String.class,
            Integer.class,
            Long.class,
            Double.class,
            Float.class,
            Short.class,
            Byte.class,
            Character.class,
            Boolean.class);

    private static final ClassValue<Components> RECORDS = new ClassValue<>() {
        @Override
        protected Components computeValue(Class<?> type) {
            return componentsOf(type);
        }
    };

    /** Accessors of the components that are hashed for a record class; empty if the class's own hashCode is used. */
    private record Components(List<Method> accessors) {}

    private StableHash() {}

    static int of(@Nullable Object value) {
        if (value == null) {
            return 0;
        } else if (PLAIN.contains(value.getClass())) {
            return value.hashCode();
        } else if (value instanceof Enum<?> constant) {
            return constant.name().hashCode();
        } else if (value instanceof Record record) {
            return ofRecord(record);
        } else if (value instanceof List<?> list) {
            int hash = 1;
            for (Object element : list) {
                hash = FACTOR * hash + of(element);
            }
            return hash;
        } else if (value instanceof Set<?> set) {
            int hash = 0;
            for (Object element : set) {
                hash += of(element);
            }
            return hash;
        } else if (value instanceof Map<?, ?> map) {
            int hash = 0;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                hash += of(entry.getKey()) ^ of(entry.getValue());
            }
            return hash;
        }
        return value.hashCode();
    }

    private static int ofRecord(Record record) {
        if (record instanceof Pair<?, ?> pair) {
            return FACTOR * of(pair.key()) + of(pair.value());
        }
        List<Method> accessors = RECORDS.get(record.getClass()).accessors;
        if (accessors.isEmpty()) {
            return record.hashCode();
        }
        int hash = 0;
        for (Method accessor : accessors) {
            try {
                hash = FACTOR * hash + of(accessor.invoke(record));
            } catch (ReflectiveOperationException failure) {
                throw new HearthException(
                        "TASK_FAILED",
                        "key: " + accessor + " threw an exception (expected: the value of that component)",
                        failure);
            }
        }
        return hash;
    }

    private static Components componentsOf(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        boolean plain = Arrays.stream(components)
                .map(RecordComponent::getType)
                .allMatch(component -> component.isPrimitive() || PLAIN.contains(component));
        if (plain || !isGenerated(type, "hashCode") || !isGenerated(type, "equals", Object.class)) {
            return new Components(List.of());
        }
        List<Method> accessors =
                Arrays.stream(components).map(RecordComponent::getAccessor).toList();
        accessors.forEach(accessor -> accessor.setAccessible(true));
        return new Components(accessors);
    }

    /**
     * Whether the compiler generated the method {@code name} of record class {@code type}: generated methods are final,
     * hand-written ones rarely are.
     */
    private static boolean isGenerated(Class<?> type, String name, Class<?>... parameters) {
        try {
            return Modifier.isFinal(type.getDeclaredMethod(name, parameters).getModifiers());
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(type + ": a record without " + name, impossible);
        }
    }
}
