package dev.hearth.rpc.internal.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/**
 * Constructor and accessors of a record type, for the generic and the compiled serializer. Immutable.
 *
 * <p>Creating this object checks that the lookup {@code access} may instantiate the record type. The generic serializer
 * then uses reflection, which needs no set-up; method handles are created only for compilation.
 */
final class RecordAccessor {
    private final Class<?> type;
    private final MethodHandles.Lookup access;
    private final Constructor<?> constructor;
    private final List<Method> accessors = new ArrayList<>();

    /** Creates the accessor; refuses a record type that the lookup {@code access} may not instantiate. */
    RecordAccessor(Class<?> type, MethodHandles.Lookup access) {
        this.type = type;
        this.access = access;
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            accessors.add(components[i].getAccessor());
        }
        try {
            access.accessClass(type);
            constructor = type.getDeclaredConstructor(types);
            boolean stranger = !access.lookupClass().isNestmateOf(type);
            if ((Modifier.isPrivate(constructor.getModifiers()) && stranger) || !constructor.trySetAccessible()) {
                throw new IllegalAccessException(constructor + ": out of reach");
            }
            accessors.forEach(accessor -> accessor.setAccessible(true));
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalArgumentException(
                    "record " + type.getName() + ": cannot be built from " + access
                            + " (expected: the lookup of a class that may build it)",
                    hidden);
        }
    }

    Class<?> type() {
        return type;
    }

    String name(int component) {
        // cannot happen: every component has an accessor method of the same name
        return accessors.get(component).getName();
    }

    Constructor<?> constructor() {
        return constructor;
    }

    List<Method> accessors() {
        return accessors;
    }

    MethodHandle constructorHandle() throws IllegalAccessException {
        return access.unreflectConstructor(constructor);
    }

    MethodHandle accessorHandle(int component) throws IllegalAccessException {
        return access.unreflect(accessors.get(component));
    }
}
