package dev.hearth.engine.internal.serializer;

import dev.hearth.spi.error.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes being written, in an array that grows. Owned by one thread. Numbers are little-endian, small ones in a variable
 * number of bytes where the method says so.
 */
public final class RecordOutput {
    /** What one array may hold: the largest the JVM makes. */
    public static final int BYTES_MAX = Integer.MAX_VALUE - 64;

    /** Smaller arrays are made without asking. */
    public static final int QUIET_BYTES = 1024 * 1024;

    private static final int LITTLE_PART = 8; // of an array is what it grows by where there is little memory

    private static final VarHandle SHORTS = handle(short[].class);
    private static final VarHandle CHARS = handle(char[].class);
    private static final VarHandle INTS = handle(int[].class);
    private static final VarHandle LONGS = handle(long[].class);
    private static final VarHandle FLOATS = handle(float[].class);
    private static final VarHandle DOUBLES = handle(double[].class);

    private final int bytesMax;
    private byte[] array;
    private int position;
    private @Nullable Growth growth;

    /** Is asked for the memory of large arrays. */
    public interface Growth {
        /** Before a larger array is made, while the one in use is still there: how large it may be, or throws. */
        int begin(int least, int wanted);

        /** The larger one is in use, and the other gone. */
        void end();
    }

    public RecordOutput(int capacity) {
        this(capacity, BYTES_MAX);
    }

    RecordOutput(int capacity, int bytesMax) {
        this.array = new byte[Math.min(capacity, bytesMax)];
        this.bytesMax = bytesMax;
    }

    /** Has it ask before its array becomes larger than {@link #QUIET_BYTES}. */
    public void ask(Growth asked) {
        growth = asked;
    }

    private static VarHandle handle(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
    }

    /** What was written lies in it, up to {@link #position}; another array once more was written. */
    public byte[] array() {
        return array;
    }

    public int position() {
        return position;
    }

    /** Goes back to {@code position}, or, after {@link #require}, forward over what was written into the array. */
    public void moveTo(int position) {
        this.position = position;
    }

    /** Makes room for {@code bytes} more. */
    public void require(int bytes) {
        if (array.length - position < bytes) {
            grow(bytes);
        }
    }

    private void grow(int bytes) {
        long least = (long) position + bytes;
        if (least > bytesMax) {
            throw ErrorCode.BAD_ARGUMENT.failure("record: more than " + bytesMax
                    + " bytes once written (expected: at most so many in one record); cut it into several");
        }
        int larger = (int) Math.min(bytesMax, Math.max(least, array.length * 2L));
        Growth asked = larger > QUIET_BYTES ? growth : null;
        if (asked != null) {
            long little = (long) array.length + array.length / LITTLE_PART; // not for each byte anew
            larger = asked.begin((int) Math.min(bytesMax, Math.max(least, little)), larger);
        }
        array = Arrays.copyOf(array, larger);
        if (asked != null) {
            asked.end();
        }
    }

    public void writeByte(int value) {
        require(1);
        array[position++] = (byte) value;
    }

    public void writeShort(short value) {
        require(Short.BYTES);
        SHORTS.set(array, position, value);
        position += Short.BYTES;
    }

    public void writeChar(char value) {
        require(Character.BYTES);
        CHARS.set(array, position, value);
        position += Character.BYTES;
    }

    public void writeInt(int value) {
        require(Integer.BYTES);
        INTS.set(array, position, value);
        position += Integer.BYTES;
    }

    public void writeLong(long value) {
        require(Long.BYTES);
        LONGS.set(array, position, value);
        position += Long.BYTES;
    }

    public void writeFloat(float value) {
        require(Float.BYTES);
        FLOATS.set(array, position, value);
        position += Float.BYTES;
    }

    public void writeDouble(double value) {
        require(Double.BYTES);
        DOUBLES.set(array, position, value);
        position += Double.BYTES;
    }

    /** A tag and a number of fixed width. */
    void writeTagged(int tag, int value) {
        require(1 + Integer.BYTES);
        array[position] = (byte) tag;
        INTS.set(array, position + 1, value);
        position += 1 + Integer.BYTES;
    }

    /** As the other one, half as wide. */
    void writeTagged(int tag, short value) {
        require(1 + Short.BYTES);
        array[position] = (byte) tag;
        SHORTS.set(array, position + 1, value);
        position += 1 + Short.BYTES;
    }

    /** As the first one, twice as wide. */
    void writeTagged(int tag, long value) {
        require(1 + Long.BYTES);
        array[position] = (byte) tag;
        LONGS.set(array, position + 1, value);
        position += 1 + Long.BYTES;
    }

    /** A number that is mostly small and not negative: seven bits a byte. */
    public void writeSize(int value) {
        require(5);
        int left = value;
        while ((left & ~0x7F) != 0) {
            array[position++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        array[position++] = (byte) left;
    }

    public void write(byte[] bytes, int from, int length) {
        require(length);
        System.arraycopy(bytes, from, array, position, length);
        position += length;
    }
}
