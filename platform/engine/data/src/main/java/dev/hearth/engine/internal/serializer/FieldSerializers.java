package dev.hearth.engine.internal.serializer;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Creates serializers that write objects of user classes field by field: by a generated codec if possible, otherwise by
 * reflection.
 */
final class FieldSerializers {
    private FieldSerializers() {}

    /**
     * Returns the serializer of the class that {@code layout} describes; null if only Java serialisation can handle the
     * class.
     */
    static @Nullable TypeSerializer of(int code, FieldLayout layout) {
        Class<?> type = layout.type();
        Constructor<?> maker = null;
        if (!type.isRecord() && !skipsConstructors(type)) {
            maker = constructor(type);
            if (maker == null) {
                return null;
            }
        }
        Object codec = FieldCodecGenerator.of(layout, maker != null);
        return codec == null
                ? ReflectiveSerializer.of(code, layout, maker)
                : new GeneratedSerializer(code, layout, codec, maker);
    }

    static ReferenceTracking sharing(FieldLayout layout, boolean leaf) {
        if (layout.type().isRecord()) {
            return leaf ? ReferenceTracking.NONE : ReferenceTracking.ACYCLIC;
        }
        return leaf ? ReferenceTracking.AFTER_CONTENT : ReferenceTracking.BEFORE_CONTENT;
    }

    /** Whether Java serialisation would run no constructor, because every superclass except Object is serialisable. */
    private static boolean skipsConstructors(Class<?> type) {
        Class<?> at = type;
        while (at != null && Serializable.class.isAssignableFrom(at)) {
            at = at.getSuperclass();
        }
        return at == Object.class && UnsafeAccess.OF_PROCESS != null;
    }

    /**
     * Returns the constructor with which Java serialisation creates objects of {@code type}; null if there is none. It
     * runs only the constructor of the first superclass that is not serialisable.
     */
    static @Nullable Constructor<?> constructor(Class<?> type) {
        try {
            Class<?> factory = ClassLoader.getPlatformClassLoader().loadClass("sun.reflect.ReflectionFactory");
            Object instance = factory.getMethod("getReflectionFactory").invoke(null);
            Method method = factory.getMethod("newConstructorForSerialization", Class.class);
            return (Constructor<?>) method.invoke(instance, type);
            // without such a constructor, Java serialisation handles the class or reports why it cannot
        } catch (ReflectiveOperationException none) {
            return null;
        }
    }

    static Object instantiate(Class<?> type, @Nullable Constructor<?> maker) {
        if (maker == null) {
            UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
            if (memory == null) {
                throw new IllegalStateException(type.getName() + ": cannot be instantiated (expected: a constructor)");
            }
            return memory.allocate(type);
        }
        return Reflection.run(() -> maker.newInstance());
    }

    /**
     * Serializer that reads and writes the fields of objects by a codec from {@link FieldCodecGenerator}, without
     * reflection.
     */
    private static final class GeneratedSerializer extends TypeSerializer {
        private final BiConsumer<Object, Object> writing;
        private final BiFunction<@Nullable Object, Object, Object> reading;
        private final @Nullable Constructor<?> maker;
        private final Class<?> type;

        @SuppressWarnings("unchecked") // the generated codec implements both interfaces
        GeneratedSerializer(int code, FieldLayout layout, Object codec, @Nullable Constructor<?> maker) {
            super(code, FieldSerializers.sharing(layout, layout.isLeaf()), layout.isLeaf());
            this.type = layout.type();
            this.writing = (BiConsumer<Object, Object>) codec;
            this.reading = (BiFunction<@Nullable Object, Object, Object>) codec;
            this.maker = maker;
        }

        @Override
        void write(Object value, RecordWriter out) {
            writing.accept(value, out);
        }

        @Override
        Object read(RecordReader in) {
            return reading.apply(maker == null ? null : instantiate(type, maker), in);
        }
    }
}
