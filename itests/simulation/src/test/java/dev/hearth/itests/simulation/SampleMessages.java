package dev.hearth.itests.simulation;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Creates a sample of any record type of a protocol, always the same one. The value of a component depends only on its
 * position in the record, so appended components change no other. Stateless.
 */
final class SampleMessages {
    private SampleMessages() {}

    static Record sample(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(components[i].getGenericType(), i + 1);
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (Record) constructor.newInstance(values);
        } catch (ReflectiveOperationException refusal) {
            throw new IllegalArgumentException(type + ": refuses a sample", refusal);
        }
    }

    private static Object value(Type type, int place) {
        if (type instanceof ParameterizedType container) {
            return container(container, place);
        }
        Class<?> named = (Class<?>) type;
        if (named == ContentId.class) { // which accepts only a hash
            return new ContentId(String.format("%064x", place));
        }
        if (named.isRecord()) {
            return sample(named);
        }
        if (named.isEnum()) {
            return named.getEnumConstants()[1]; // not the first constant, which unknown values decode to
        }
        return scalar(named, place);
    }

    private static Object scalar(Class<?> type, int place) {
        return switch (type.getSimpleName()) {
            case "boolean", "Boolean" -> true;
            case "byte", "Byte" -> (byte) -place;
            case "short", "Short" -> (short) (-100 * place);
            case "int", "Integer" -> -100 * place;
            case "long", "Long" -> (1L << 40) + place;
            case "float", "Float" -> place + 0.25f;
            case "double", "Double" -> place + 0.5;
            case "char", "Character" -> (char) ('a' + place);
            case "String" -> "text-" + place;
            case "Bytes" -> Bytes.owning(("bytes " + place).getBytes(StandardCharsets.US_ASCII));
            case "Duration" -> Duration.ofMillis(place);
            case "Instant" -> Instant.ofEpochMilli(place);
            case "OptionalInt" -> OptionalInt.of(place);
            case "OptionalLong" -> OptionalLong.of(place);
            default -> throw new IllegalArgumentException(type + ": no sample (expected: what Protocol allows)");
        };
    }

    private static Object container(ParameterizedType type, int place) {
        Type[] arguments = type.getActualTypeArguments();
        Object first = value(arguments[0], place);
        if (type.getRawType() == List.class) {
            return List.of(first, first);
        }
        return type.getRawType() == Map.class ? Map.of(first, value(arguments[1], place)) : Optional.of(first);
    }
}
