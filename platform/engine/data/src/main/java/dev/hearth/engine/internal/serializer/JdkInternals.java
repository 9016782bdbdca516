package dev.hearth.engine.internal.serializer;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Access to private fields of JDK classes, which hold state that serializers cannot get otherwise, or only slowly.
 * Stateless. Where a field cannot be read, strings are scanned character by character, and the affected collections are
 * left to Java serialisation.
 */
final class JdkInternals {
    private static final Class<?> FIXED_LIST = List.of().getClass();
    private static final Class<?> ARRAY_AS_LIST = Arrays.asList().getClass();
    private static final long CODER = offset(String.class, "coder", byte.class);
    private static final long VALUE = offset(String.class, "value", byte[].class);
    private static final long BYTES = firstOfBytes();
    private static final long ACCESS_ORDER = offset(LinkedHashMap.class, "accessOrder", boolean.class);
    private static final long ALLOW_NULLS = offset(FIXED_LIST, "allowNulls", boolean.class);
    private static final long BACKING = offset(ARRAY_AS_LIST, "a", Object[].class);

    private JdkInternals() {}

    private static long offset(Class<?> owner, String name, Class<?> type) {
        try {
            var field = owner.getDeclaredField(name);
            return UnsafeAccess.OF_PROCESS == null || field.getType() != type
                    ? -1
                    : UnsafeAccess.OF_PROCESS.offset(field);
        } catch (NoSuchFieldException otherwise) { // an unknown JDK version has other fields
            return -1;
        }
    }

    /**
     * Returns the memory offset of the first element in byte arrays if it is a multiple of 8; else -1. Only with such
     * an offset do reads of whole longs stay inside an array.
     */
    private static long firstOfBytes() {
        int first = UnsafeAccess.OF_PROCESS == null ? -1 : UnsafeAccess.OF_PROCESS.firstOfBytes(byte[].class);
        return first % Long.BYTES == 0 ? first : -1;
    }

    /** Whether {@link #isBytes} and {@link #bytes} are available. */
    static boolean canReadBytes() {
        return CODER >= 0 && VALUE >= 0 && BYTES >= 0 && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    /** Whether {@code text} stores one byte per character internally, so that {@link #bytes} can read it. */
    static boolean isBytes(String text) {
        return memory().byteAt(text, CODER) == 0;
    }

    /**
     * Returns eight characters of {@code text}, of which {@link #isBytes} must be true, as the bytes of a little-endian
     * number. They begin at index {@code from}, a multiple of 8 below the length. Bytes beyond the end of the string
     * are undefined.
     */
    static long bytes(String text, int from) {
        UnsafeAccess memory = memory();
        return memory.longAt(memory.objectAt(text, VALUE), BYTES + from);
    }

    /** Whether all characters of {@code text} are in Latin-1. */
    static boolean isLatin(String text) {
        UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
        if (memory != null && CODER >= 0) {
            return memory.byteAt(text, CODER) == 0 || isLatinByScan(text);
        }
        return isLatinByScan(text);
    }

    private static boolean isLatinByScan(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                return false;
            }
        }
        return true;
    }

    static boolean canReadOrder() {
        return ACCESS_ORDER >= 0;
    }

    /** Whether a LinkedHashMap is in access order instead of insertion order. */
    static boolean isByAccess(Map<?, ?> map) {
        return flag(map, ACCESS_ORDER);
    }

    static boolean canReadNulls() {
        return ALLOW_NULLS >= 0;
    }

    /** Whether {@code list}, an immutable list of the JDK, permits null elements. */
    static boolean allowsNulls(List<?> list) {
        return list.getClass() == FIXED_LIST && flag(list, ALLOW_NULLS);
    }

    static boolean canReadBacking() {
        return BACKING >= 0;
    }

    /** Returns the array of which {@code list}, created by {@code Arrays.asList}, is a view. */
    static Object[] backing(List<?> list) {
        return memory().objectAt(list, BACKING) instanceof Object[] array ? array : list.toArray();
    }

    private static boolean flag(Object owner, long offset) {
        return memory().byteAt(owner, offset) != 0;
    }

    private static UnsafeAccess memory() {
        @Nullable UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
        if (memory == null) {
            throw new IllegalStateException("fields of the JDK: not accessible (expected: a check before)");
        }
        return memory;
    }
}
