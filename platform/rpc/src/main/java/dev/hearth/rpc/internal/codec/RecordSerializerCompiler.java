package dev.hearth.rpc.internal.codec;

import static java.lang.invoke.MethodType.methodType;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles a fast serializer for one record type. It composes one writer and one reader, neither of which boxes
 * numbers, and defines a class with both. Compilation takes milliseconds, so it is only used for frequently used
 * records. Stateless.
 */
final class RecordSerializerCompiler {
    /**
     * Maximum number of components of a compiled record. With more, a method handle may exceed the number of parameters
     * that the JVM allows.
     */
    private static final int COMPONENTS_MAX = 100;

    private static final Logger LOG = LoggerFactory.getLogger(RecordSerializerCompiler.class);
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final String PATTERN = CompiledRecordSerializer.class.getSimpleName() + ".class";
    private static final Map<Class<?>, String> KINDS = Map.of(
            boolean.class, "Boolean",
            byte.class, "Byte",
            short.class, "Short",
            int.class, "Int",
            long.class, "Long",
            float.class, "Float",
            double.class, "Double",
            char.class, "Char");

    private RecordSerializerCompiler() {}

    /**
     * Returns the compiled serializer; empty if the record cannot be compiled, in which case the generic serializer
     * stays in use.
     */
    static Optional<RecordSerializer> compile(RecordAccessor shape, ValueCodec[] codecs) {
        if (codecs.length > COMPONENTS_MAX) {
            return Optional.empty();
        }
        try (InputStream pattern = CompiledRecordSerializer.class.getResourceAsStream(PATTERN)) {
            if (pattern == null) {
                throw new IOException(PATTERN + ": missing from its package (expected: a class file beside its class)");
            }
            List<MethodHandle> handles = List.of(writer(shape, codecs), reader(shape, codecs));
            Class<?> copy = LOOKUP.defineHiddenClassWithClassData(pattern.readAllBytes(), handles, true)
                    .lookupClass();
            return Optional.of((RecordSerializer) LOOKUP.in(copy)
                    .findConstructor(copy, methodType(void.class))
                    .invoke());
        } catch (Error error) {
            throw error;
        } catch (Throwable refusal) {
            // for example, the bundle is being uninstalled; the generic serializer still decodes messages in flight
            LOG.warn("record {}: keeps the slower codec", shape.type().getName(), refusal);
            return Optional.empty();
        }
    }

    /**
     * Composes a method handle {@code (WireOutput, Object) -> void} that calls the writers of all components in order.
     */
    private static MethodHandle writer(RecordAccessor shape, ValueCodec[] codecs) throws ReflectiveOperationException {
        MethodType type = methodType(void.class, WireOutput.class, Object.class);
        MethodHandle all = MethodHandles.empty(type);
        for (int i = codecs.length - 1; i >= 0; i--) {
            MethodHandle accessor = shape.accessorHandle(i);
            MethodHandle component =
                    MethodHandles.filterArguments(write(accessor.type().returnType(), codecs[i], i + 1), 1, accessor);
            all = MethodHandles.foldArguments(all, component.asType(type));
        }
        return all;
    }

    /**
     * Composes a method handle {@code (WireInput) -> Object} that calls the readers of all components in order, then
     * the constructor. Composition begins with the last reader, because the outermost handle runs first.
     */
    private static MethodHandle reader(RecordAccessor shape, ValueCodec[] codecs) throws ReflectiveOperationException {
        MethodHandle constructor = shape.constructorHandle();
        MethodType type = constructor.type();
        MethodHandle all = MethodHandles.dropArguments(constructor, type.parameterCount(), WireInput.class);
        for (int i = codecs.length - 1; i >= 0; i--) {
            all = MethodHandles.foldArguments(all, i, read(type.parameterType(i), codecs[i], i + 1));
        }
        return all.asType(methodType(Object.class, WireInput.class));
    }

    private static MethodHandle write(Class<?> component, ValueCodec codec, int next)
            throws ReflectiveOperationException {
        String kind = KINDS.get(component);
        if (kind != null) {
            MethodType type = methodType(void.class, int.class, WireOutput.class, component);
            MethodHandle write = LOOKUP.findStatic(TypedComponents.class, "write" + kind, type);
            return MethodHandles.insertArguments(write, 0, next);
        }
        MethodType type = methodType(void.class, ValueCodec.class, int.class, WireOutput.class, Object.class);
        MethodHandle write = LOOKUP.findStatic(TypedComponents.class, "writeObject", type);
        return MethodHandles.insertArguments(write, 0, codec, next)
                .asType(methodType(void.class, WireOutput.class, component));
    }

    private static MethodHandle read(Class<?> component, ValueCodec codec, int next)
            throws ReflectiveOperationException {
        String kind = KINDS.get(component);
        if (kind != null) {
            MethodType type = methodType(component, int.class, WireInput.class);
            return MethodHandles.insertArguments(
                    LOOKUP.findStatic(TypedComponents.class, "read" + kind, type), 0, next);
        }
        MethodType type = methodType(Object.class, ValueCodec.class, int.class, WireInput.class);
        MethodHandle read = LOOKUP.findStatic(TypedComponents.class, "readObject", type);
        return MethodHandles.insertArguments(read, 0, codec, next).asType(methodType(component, WireInput.class));
    }
}
