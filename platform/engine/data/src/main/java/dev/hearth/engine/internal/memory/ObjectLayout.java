package dev.hearth.engine.internal.memory;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;

/**
 * How a JVM lays objects out, as far as their sizes show it: the bytes of a header, of a reference, of an array's header, and
 * what sizes are rounded up to. Fields of subclasses fill the gaps that alignment leaves, so that only the sum of them counts.
 */
record ObjectLayout(int header, int reference, int arrayHeader, int alignment) {
    private static final long COMPRESSED_HEAP_BYTES_MAX = 32L << 30;
    private static final String ALIGNMENT = "-XX:ObjectAlignmentInBytes=";

    /** That of this JVM, by the size of its heap and its options. */
    static ObjectLayout ofThisProcess() {
        return of(
                Runtime.getRuntime().maxMemory(),
                ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    static ObjectLayout of(long heapBytes, List<String> options) {
        int alignment = options.stream()
                .filter(option -> option.startsWith(ALIGNMENT))
                .mapToInt(option -> Integer.parseInt(option.substring(ALIGNMENT.length())))
                .reduce(8, (earlier, later) -> later);
        boolean small = heapBytes < COMPRESSED_HEAP_BYTES_MAX / 8 * alignment;
        boolean references = small && !options.contains("-XX:-UseCompressedOops") && !options.contains("-XX:+UseZGC");
        boolean classes = !options.contains("-XX:-UseCompressedClassPointers");
        return new ObjectLayout(classes ? 12 : 16, references ? 4 : 8, classes ? 16 : 24, alignment);
    }

    /** An object whose fields, those of superclasses too, take so many bytes. */
    long object(long fieldBytes) {
        return align(header + fieldBytes);
    }

    long array(long length, int elementBytes) {
        return align(arrayHeader + length * elementBytes);
    }

    long references(long length) {
        return array(length, reference);
    }

    private long align(long bytes) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    /** An object of this class by itself. */
    long object(Class<?> type) {
        long fields = 0;
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                fields += Modifier.isStatic(field.getModifiers()) ? 0 : bytes(field.getType());
            }
        }
        return object(fields);
    }

    /** What a field or an element of this type takes. */
    int bytes(Class<?> type) {
        if (!type.isPrimitive()) {
            return reference;
        }
        if (type == long.class || type == double.class) {
            return Long.BYTES;
        }
        if (type == int.class || type == float.class) {
            return Integer.BYTES;
        }
        return type == short.class || type == char.class ? Short.BYTES : Byte.BYTES;
    }
}
