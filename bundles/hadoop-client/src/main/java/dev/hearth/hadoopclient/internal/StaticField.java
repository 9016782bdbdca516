package dev.hearth.hadoopclient.internal;

import java.lang.reflect.Field;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Private field of a class of Hadoop, usually a static one, which has no method to clear it. The classes are in this bundle, so that no
 * flag of the JVM is needed. A field that another version of Hadoop lacks is empty, with a warning.
 */
record StaticField(Class<?> owner, Optional<Field> field) {
    private static final Logger LOG = LoggerFactory.getLogger(StaticField.class);

    static StaticField of(Class<?> owner, String name) {
        try {
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return new StaticField(owner, Optional.of(field));
        } catch (NoSuchFieldException | RuntimeException missing) {
            LOG.warn(
                    "Hadoop: {}.{} cannot be cleared (expected: the field of Hadoop 3.5.0); classes may stay in memory",
                    owner.getName(),
                    name,
                    missing);
            return new StaticField(owner, Optional.empty());
        }
    }

    /** The value, if there is one of this type. */
    <T> Optional<T> value(Class<T> type) {
        return value(type, null);
    }

    /** The value of the field in {@code object}, which is null for a static field. */
    <T> Optional<T> value(Class<T> type, @Nullable Object object) {
        if (field.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(field.get().get(object)).map(type::cast);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible); // it was made accessible
        }
    }

    void clear() {
        if (field.isPresent()) {
            try {
                field.get().set(null, null);
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(impossible); // it was made accessible
            }
        }
    }
}
