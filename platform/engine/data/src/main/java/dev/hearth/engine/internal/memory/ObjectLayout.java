package dev.hearth.engine.internal.memory;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;

/**
 * Layout of objects in the heap of a JVM: sizes in bytes of an object header, of a reference and of an array header,
 * and the alignment of objects. Fields of subclasses fill the gaps of alignment, so only the sum of all field sizes
 * matters.
 */
record ObjectLayout(int header, int reference, int arrayHeader, int alignment) {
    private static final long COMPRESSED_HEAP_BYTES_MAX = 32L << 30;
    private static final String ALIGNMENT = "-XX:ObjectAlignmentInBytes=";

    /** The layout that this JVM uses, derived from its heap size and its options. */
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

    /** Size in bytes of an object. {@code fieldBytes} is the size of its fields, including those of superclasses. */
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

    /** Size in bytes of an instance of {@code type}, without the objects to which it refers. */
    long object(Class<?> type) {
        long fields = 0;
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                fields += Modifier.isStatic(field.getModifiers()) ? 0 : bytes(field.getType());
            }
        }
        return object(fields);
    }

    /** Size in bytes of a field or array element of {@code type}. */
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
