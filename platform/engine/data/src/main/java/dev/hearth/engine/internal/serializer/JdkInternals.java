package dev.hearth.engine.internal.serializer;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What classes of the JDK do not tell and we must know to write them well. Stateless. Where it cannot be read, strings are
 * looked through, and the collections in question are left to Java's serialisation.
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
        } catch (NoSuchFieldException otherwise) { // in another JDK than we know
            return -1;
        }
    }

    /** Where the first byte of an array lies, if at a multiple of 8, so that longs at such places do not leave the array. */
    private static long firstOfBytes() {
        int first = UnsafeAccess.OF_PROCESS == null ? -1 : UnsafeAccess.OF_PROCESS.firstOfBytes(byte[].class);
        return first % Long.BYTES == 0 ? first : -1;
    }

    /** Whether {@link #isBytes} and {@link #bytes} may be asked. */
    static boolean knowsBytes() {
        return CODER >= 0 && VALUE >= 0 && BYTES >= 0 && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    /** Whether a string is an array of bytes, one for each of its characters. */
    static boolean isBytes(String text) {
        return memory().byteAt(text, CODER) == 0;
    }

    /** Eight of those bytes, the first one lowest, from a multiple of 8 below the length on; beyond it they mean nothing. */
    static long bytes(String text, int from) {
        UnsafeAccess memory = memory();
        return memory.longAt(memory.objectAt(text, VALUE), BYTES + from);
    }

    /** Whether all of its characters are of Latin-1. */
    static boolean isLatin(String text) {
        UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
        if (memory != null && CODER >= 0) {
            return memory.byteAt(text, CODER) == 0 || isLatinThroughout(text);
        }
        return isLatinThroughout(text);
    }

    private static boolean isLatinThroughout(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                return false;
            }
        }
        return true;
    }

    static boolean knowsOrder() {
        return ACCESS_ORDER >= 0;
    }

    /** Whether the map moves what is looked up to its end. */
    static boolean isByAccess(Map<?, ?> map) {
        return flag(map, ACCESS_ORDER);
    }

    static boolean knowsNulls() {
        return ALLOW_NULLS >= 0;
    }

    /** Whether a list as {@code List.of} makes them is one that may hold nulls. */
    static boolean allowsNulls(List<?> list) {
        return list.getClass() == FIXED_LIST && flag(list, ALLOW_NULLS);
    }

    static boolean knowsBacking() {
        return BACKING >= 0;
    }

    /** The array below {@code Arrays.asList}. */
    static Object[] backing(List<?> list) {
        return memory().objectAt(list, BACKING) instanceof Object[] array ? array : list.toArray();
    }

    private static boolean flag(Object owner, long offset) {
        return memory().byteAt(owner, offset) != 0;
    }

    private static UnsafeAccess memory() {
        @Nullable UnsafeAccess memory = UnsafeAccess.OF_PROCESS;
        if (memory == null) {
            throw new IllegalStateException("fields of the JDK: asked for (expected: only where they can be read)");
        }
        return memory;
    }
}
