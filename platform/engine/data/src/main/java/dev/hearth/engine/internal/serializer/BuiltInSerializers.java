package dev.hearth.engine.internal.serializer;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serializers for classes of the JDK and Hearth, the same for every application. Stateless. */
final class BuiltInSerializers {
    static final TypeSerializer JAVA = new JavaTypeSerializer();

    private static final Map<Class<?>, TypeSerializer> BY_TYPE = byType();
    private static final @Nullable TypeSerializer[] BY_TAG = byTag();

    private BuiltInSerializers() {}

    private static Map<Class<?>, TypeSerializer> byType() {
        Map<Class<?>, TypeSerializer> serializers = new HashMap<>();
        ValueSerializers.addTo(serializers);
        TimeSerializers.addTo(serializers);
        ArraySerializers.addTo(serializers);
        CollectionSerializers.addTo(serializers);
        return Map.copyOf(serializers);
    }

    private static @Nullable TypeSerializer[] byTag() {
        @Nullable TypeSerializer[] serializers = new TypeSerializer[TypeTag.CLASS];
        BY_TYPE.values().forEach(serializer -> serializers[serializer.code()] = serializer);
        ValueSerializers.alternatives().forEach((tag, serializer) -> serializers[tag] = serializer);
        serializers[TypeTag.JAVA] = JAVA;
        return serializers;
    }

    static @Nullable TypeSerializer of(Class<?> type) {
        return BY_TYPE.get(type);
    }

    /** Returns the serializer of a built-in tag, which must be below {@link TypeTag#CLASS}. */
    static TypeSerializer at(int tag) {
        TypeSerializer serializer = BY_TAG[tag];
        if (serializer == null) {
            throw new CorruptRecordException("record: tag " + tag + " (expected: a known one)");
        }
        return serializer;
    }
}
