package dev.hearth.engine.internal.record;

import dev.hearth.spi.error.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes being written, in an array that grows. Owned by one thread. Numbers are little-endian, small ones in a variable
 * number of bytes where the method says so.
 */
public final class RecordOutput {
    /** What one array may hold: the largest the JVM makes. */
    public static final int BYTES_MAX = Integer.MAX_VALUE - 64;

    private static final VarHandle SHORTS = handle(short[].class);
    private static final VarHandle CHARS = handle(char[].class);
    private static final VarHandle INTS = handle(int[].class);
    private static final VarHandle LONGS = handle(long[].class);
    private static final VarHandle FLOATS = handle(float[].class);
    private static final VarHandle DOUBLES = handle(double[].class);

    private byte[] array;
    private int position;

    public RecordOutput(int capacity) {
        this.array = new byte[capacity];
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
        if (least > BYTES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure("record: more than " + BYTES_MAX
                    + " bytes once written (expected: at most so many in one record); cut it into several");
        }
        array = Arrays.copyOf(array, (int) Math.min(BYTES_MAX, Math.max(least, array.length * 2L)));
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
