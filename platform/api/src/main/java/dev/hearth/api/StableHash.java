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
 * Hash codes that are the same in every process and go with equals. Those of enums are not, nor are those of collections and records
 * that hold enums: they are made of the constants' names here. Of a record whose equals its own source says, and of other
 * classes, the hash code stays what the class says. Stateless; what is known of a class dies with it.
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

    /** How to read what a record holds; none where its own hash code will do. */
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
                        "TASK_FAILED", "key: " + accessor + " failed (expected: what the record holds)", failure);
            }
        }
        return hash;
    }

    private static Components componentsOf(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        boolean plain = Arrays.stream(components)
                .map(RecordComponent::getType)
                .allMatch(held -> held.isPrimitive() || PLAIN.contains(held));
        if (plain || !isImplied(type, "hashCode") || !isImplied(type, "equals", Object.class)) {
            return new Components(List.of());
        }
        List<Method> accessors =
                Arrays.stream(components).map(RecordComponent::getAccessor).toList();
        accessors.forEach(accessor -> accessor.setAccessible(true));
        return new Components(accessors);
    }

    /** Compilers make such methods final, which people have no reason to. */
    private static boolean isImplied(Class<?> type, String name, Class<?>... parameters) {
        try {
            return Modifier.isFinal(type.getDeclaredMethod(name, parameters).getModifiers());
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(type + ": a record without " + name, impossible);
        }
    }
}
