package dev.hearth.engine.internal.serializer;

import dev.hearth.spi.error.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writer of primitive values to a byte array that grows. Owned by one thread. Numbers are little-endian; some methods
 * use a variable-length encoding.
 */
public final class RecordOutput {
    /** Size in bytes of the largest array that a JVM can allocate. */
    public static final int BYTES_MAX = Integer.MAX_VALUE - 64;

    /** Size in bytes of the largest array that is allocated without calling {@link Growth}. */
    public static final int QUIET_BYTES = 1024 * 1024;

    private static final int LITTLE_PART = 8; // when memory is short, the array grows by at least 1/8

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

    /**
     * Callback that reserves memory before the array of a {@link RecordOutput} is replaced by a larger one of more than
     * {@link #QUIET_BYTES}.
     */
    public interface Growth {
        /**
         * Called before a larger array is allocated, while the old array is still in use. Returns the permitted size of
         * the larger array in bytes, from {@code least} to {@code wanted}. Throws if memory is refused.
         */
        int begin(int least, int wanted);

        /**
         * Called when the larger array has replaced the old one, so that the memory of the old array can be released.
         */
        void end();
    }

    public RecordOutput(int capacity) {
        this(capacity, BYTES_MAX);
    }

    RecordOutput(int capacity, int bytesMax) {
        this.array = new byte[Math.min(capacity, bytesMax)];
        this.bytesMax = bytesMax;
    }

    /** Sets the callback that is called before and after the array grows to more than {@link #QUIET_BYTES}. */
    public void ask(Growth callback) {
        growth = callback;
    }

    private static VarHandle handle(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The array to which values are written; its bytes before {@link #position} are written already. When the output
     * grows, another array replaces it.
     */
    public byte[] array() {
        return array;
    }

    public int position() {
        return position;
    }

    /**
     * Moves to {@code position}. A move forward is for bytes that the caller wrote into the array itself after
     * {@link #require}.
     */
    public void moveTo(int position) {
        this.position = position;
    }

    /** Enlarges the array, if necessary, so that {@code bytes} more bytes fit into it. */
    public void require(int bytes) {
        if (array.length - position < bytes) {
            grow(bytes);
        }
    }

    private void grow(int bytes) {
        long least = (long) position + bytes;
        if (least > bytesMax) {
            throw ErrorCode.BAD_ARGUMENT.failure("record: more than " + bytesMax
                    + " bytes serialised (expected: at most that many in one record); split it into several records");
        }
        int larger = (int) Math.min(bytesMax, Math.max(least, array.length * 2L));
        Growth callback = larger > QUIET_BYTES ? growth : null;
        if (callback != null) {
            long little = (long) array.length + array.length / LITTLE_PART; // avoids growth byte by byte
            larger = callback.begin((int) Math.min(bytesMax, Math.max(least, little)), larger);
        }
        array = Arrays.copyOf(array, larger);
        if (callback != null) {
            callback.end();
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

    /** Writes {@code tag} as one byte, then {@code value} as four bytes. */
    void writeTagged(int tag, int value) {
        require(1 + Integer.BYTES);
        array[position] = (byte) tag;
        INTS.set(array, position + 1, value);
        position += 1 + Integer.BYTES;
    }

    /** Writes {@code tag} as one byte, then {@code value} as two bytes. */
    void writeTagged(int tag, short value) {
        require(1 + Short.BYTES);
        array[position] = (byte) tag;
        SHORTS.set(array, position + 1, value);
        position += 1 + Short.BYTES;
    }

    /** Writes {@code tag} as one byte, then {@code value} as eight bytes. */
    void writeTagged(int tag, long value) {
        require(1 + Long.BYTES);
        array[position] = (byte) tag;
        LONGS.set(array, position + 1, value);
        position += 1 + Long.BYTES;
    }

    /** Writes a number in a variable-length encoding, seven bits per byte; short for small non-negative numbers. */
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
