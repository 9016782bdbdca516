package dev.hearth.engine.internal.serializer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reader of primitive values from a byte array: the counterpart of {@link RecordOutput}. Owned by one thread; reused
 * for many arrays. Reading past the limit, or an impossible size, throws {@link CorruptRecordException}.
 */
public final class RecordInput {
    private static final byte[] NOTHING = {};
    private static final VarHandle SHORTS = handle(short[].class);
    private static final VarHandle CHARS = handle(char[].class);
    private static final VarHandle INTS = handle(int[].class);
    private static final VarHandle LONGS = handle(long[].class);
    private static final VarHandle FLOATS = handle(float[].class);
    private static final VarHandle DOUBLES = handle(double[].class);

    private byte[] array = NOTHING;
    private int position;
    private int limit;

    private static VarHandle handle(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Makes this input read {@code bytes} from index {@code from} to before index {@code until}. Returns this input.
     */
    public RecordInput on(byte[] bytes, int from, int until) {
        this.array = bytes;
        this.position = from;
        this.limit = until;
        return this;
    }

    public byte[] array() {
        return array;
    }

    public int position() {
        return position;
    }

    public int limit() {
        return limit;
    }

    public void moveTo(int at) {
        this.position = at;
    }

    public boolean hasMore() {
        return position < limit;
    }

    /** Fails if fewer than {@code bytes} bytes are left. */
    public void expect(int bytes) {
        if (bytes < 0 || limit - position < bytes) {
            throw new CorruptRecordException("record: " + bytes + " bytes requested (expected: at most the "
                    + (limit - position) + " bytes left)");
        }
    }

    public byte readByte() {
        expect(1);
        return array[position++];
    }

    public short readShort() {
        expect(Short.BYTES);
        short value = (short) SHORTS.get(array, position);
        position += Short.BYTES;
        return value;
    }

    public char readChar() {
        expect(Character.BYTES);
        char value = (char) CHARS.get(array, position);
        position += Character.BYTES;
        return value;
    }

    public int readInt() {
        expect(Integer.BYTES);
        int value = (int) INTS.get(array, position);
        position += Integer.BYTES;
        return value;
    }

    public long readLong() {
        expect(Long.BYTES);
        long value = (long) LONGS.get(array, position);
        position += Long.BYTES;
        return value;
    }

    public float readFloat() {
        expect(Float.BYTES);
        float value = (float) FLOATS.get(array, position);
        position += Float.BYTES;
        return value;
    }

    public double readDouble() {
        expect(Double.BYTES);
        double value = (double) DOUBLES.get(array, position);
        position += Double.BYTES;
        return value;
    }

    /** Reads a variable-length number: see {@link RecordOutput#writeSize}. */
    public int readSize() {
        int value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            byte next = readByte();
            value |= (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new CorruptRecordException("record: a variable-length number of more than 5 bytes (expected: at most 5)");
    }
}
