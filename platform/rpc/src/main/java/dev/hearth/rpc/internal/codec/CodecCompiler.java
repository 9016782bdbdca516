package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.net.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Derives the codecs of one protocol from the components of its records. Refuses types that {@code Protocol} does not
 * allow, with the names of record and component. The constructor of {@link ProtocolCodec} uses it, on one thread.
 */
final class CodecCompiler {
    private static final Map<Type, ValueCodec> SCALARS = Map.ofEntries(
            Map.entry(boolean.class, ScalarCodec.BOOLEAN),
            Map.entry(byte.class, ScalarCodec.BYTE),
            Map.entry(short.class, ScalarCodec.SHORT),
            Map.entry(int.class, ScalarCodec.INT),
            Map.entry(long.class, ScalarCodec.LONG),
            Map.entry(float.class, ScalarCodec.FLOAT),
            Map.entry(double.class, ScalarCodec.DOUBLE),
            Map.entry(char.class, ScalarCodec.CHAR),
            Map.entry(String.class, ScalarCodec.STRING),
            Map.entry(Bytes.class, ScalarCodec.BYTES),
            Map.entry(Duration.class, ScalarCodec.DURATION),
            Map.entry(Instant.class, ScalarCodec.INSTANT),
            Map.entry(OptionalInt.class, ScalarCodec.OPTIONAL_INT),
            Map.entry(OptionalLong.class, ScalarCodec.OPTIONAL_LONG));
    private static final Map<Type, ValueCodec> BOXES = Map.of(
            Boolean.class, ScalarCodec.BOOLEAN,
            Byte.class, ScalarCodec.BYTE,
            Short.class, ScalarCodec.SHORT,
            Integer.class, ScalarCodec.INT,
            Long.class, ScalarCodec.LONG,
            Float.class, ScalarCodec.FLOAT,
            Double.class, ScalarCodec.DOUBLE,
            Character.class, ScalarCodec.CHAR);
    private static final String ALLOWED = "a primitive type, String, Bytes, Duration, Instant, OptionalInt,"
            + " OptionalLong, an enum, a record, or a List, Optional or Map of these";

    private final MethodHandles.Lookup access;
    private final Executor compilations;
    private final Map<Class<?>, RecordCodec> compiled = new LinkedHashMap<>();

    CodecCompiler(MethodHandles.Lookup access, Executor compilations) {
        this.access = access;
        this.compilations = compilations;
    }

    /** Returns the codec of a message type. Also creates the codecs of all records that the message can contain. */
    RecordCodec compile(Class<? extends Record> message) {
        RecordCodec codec = record(message);
        compiled.values().forEach(each -> each.makeDefault(new LinkedHashSet<>()));
        return codec;
    }

    /** Returns the codecs of all record types compiled so far by this object, records within records included. */
    List<RecordCodec> records() {
        return List.copyOf(compiled.values());
    }

    private RecordCodec record(Class<?> type) {
        RecordCodec known = compiled.get(type);
        if (known != null) {
            return known;
        }
        RecordComponent[] components = type.getRecordComponents();
        RecordCodec codec = new RecordCodec(new RecordAccessor(type, access), components.length, compilations);
        compiled.put(type, codec);
        for (int i = 0; i < components.length; i++) {
            codec.link(i, component(type, components[i]));
        }
        return codec;
    }

    private ValueCodec component(Class<?> record, RecordComponent component) {
        ValueCodec codec = component.getGenericType() instanceof Class<?> type && SCALARS.containsKey(type)
                ? SCALARS.get(type)
                : composed(component.getGenericType());
        if (codec == null) {
            throw new IllegalArgumentException("record " + record.getName() + ", component " + component.getName()
                    + ": " + component.getGenericType().getTypeName() + " (expected: " + ALLOWED + ")");
        }
        return codec;
    }

    private @Nullable ValueCodec composed(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return container(parameterized);
        }
        if (!(type instanceof Class<?> named)) {
            return null;
        }
        Object[] constants = named.getEnumConstants();
        if (constants != null && constants.length > 0) {
            return new EnumCodec(constants);
        }
        return named.isRecord() && named.getTypeParameters().length == 0 ? record(named) : null;
    }

    private @Nullable ValueCodec container(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        ValueCodec first = element(arguments[0]);
        if (first == null) {
            return null;
        }
        if (type.getRawType() == List.class) {
            return new ListCodec(first);
        }
        if (type.getRawType() == Optional.class) {
            return new OptionalCodec(first);
        }
        ValueCodec second = type.getRawType() == Map.class ? element(arguments[1]) : null;
        return second == null ? null : new MapCodec(first, second);
    }

    private @Nullable ValueCodec element(Type type) {
        ValueCodec box = BOXES.get(type);
        if (box != null) {
            return box;
        }
        boolean primitive = type instanceof Class<?> named && named.isPrimitive();
        ValueCodec scalar = primitive ? null : SCALARS.get(type);
        return scalar != null ? scalar : composed(type);
    }
}
