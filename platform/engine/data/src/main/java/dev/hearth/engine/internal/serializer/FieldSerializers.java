package dev.hearth.engine.internal.serializer;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Makes the forms of classes that are written field by field: by a generated codec where that can be, else by reflection. */
final class FieldSerializers {
    private FieldSerializers() {}

    /** Null when the class can only be left to Java's serialisation. */
    static @Nullable TypeSerializer of(int code, FieldLayout layout) {
        Class<?> type = layout.type();
        Constructor<?> maker = null;
        if (!type.isRecord() && !isAllocated(type)) {
            maker = constructor(type);
            if (maker == null) {
                return null;
            }
        }
        Object codec = FieldCodecGenerator.of(layout, maker != null);
        return codec == null ? ReflectiveSerializer.of(code, layout, maker) : new Generated(code, layout, codec, maker);
    }

    static ReferenceTracking sharing(FieldLayout layout, boolean leaf) {
        if (layout.type().isRecord()) {
            return leaf ? ReferenceTracking.NONE : ReferenceTracking.CLOSED;
        }
        return leaf ? ReferenceTracking.AFTERWARDS : ReferenceTracking.BY_FORM;
    }

    /** Whether no constructor runs when Java's serialisation makes one: nothing but Object is above what is serializable. */
    private static boolean isAllocated(Class<?> type) {
        Class<?> at = type;
        while (at != null && Serializable.class.isAssignableFrom(at)) {
            at = at.getSuperclass();
        }
        return at == Object.class && UnsafeAccess.OF_PROCESS != null;
    }

    /** The constructor that Java's serialisation would use: it runs that of the first class above that is not serializable. */
    static @Nullable Constructor<?> constructor(Class<?> type) {
        try {
            Class<?> factory = ClassLoader.getPlatformClassLoader().loadClass("sun.reflect.ReflectionFactory");
            Object instance = factory.getMethod("getReflectionFactory").invoke(null);
            Method method = factory.getMethod("newConstructorForSerialization", Class.class);
            return (Constructor<?>) method.invoke(instance, type);
        } catch (ReflectiveOperationException none) { // then Java's serialisation does it, or says why it cannot
            return null;
        }
    }

    static Object make(Class<?> type, @Nullable Constructor<?> maker) {
        if (maker == null) {
            UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
            if (memory == null) {
                throw new IllegalStateException(type.getName() + ": cannot be made (expected: a constructor)");
            }
            return memory.allocate(type);
        }
        return Reflection.run(() -> maker.newInstance());
    }

    /** Straight into the fields, by a class made for it. */
    private static final class Generated extends TypeSerializer {
        private final BiConsumer<Object, Object> writing;
        private final BiFunction<@Nullable Object, Object, Object> reading;
        private final @Nullable Constructor<?> maker;
        private final Class<?> type;

        @SuppressWarnings("unchecked") // it was made to be these
        Generated(int code, FieldLayout layout, Object codec, @Nullable Constructor<?> maker) {
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
            return reading.apply(maker == null ? null : make(type, maker), in);
        }
    }
}
