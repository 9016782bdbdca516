package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Appends values to its own array and enforces the bounds of a message: number of bytes, depth of nested records, and
 * number of elements.
 * <p>Numbers are varints: seven bits per byte, lowest first. Used by one thread at a time; {@link #reset} separates
 * messages. After a failure only {@link #reset} may be called.
 */
public final class WireOutput {
    /** Maximum depth of records that are nested in each other in one message. */
    static final int DEPTH_MAX = 64;

    /** Maximum number of elements in all lists and maps of one message. */
    static final int ELEMENTS_MAX = 1 << 20;

    private static final int FIRST_BYTES = 256;
    private static final int KEPT_BYTES_MAX = 1024 * 1024;
    private static final int ARRAY_BYTES_MAX = Integer.MAX_VALUE - 8;

    private final int bytesMax;
    private byte[] array; // never longer than bytesMax, so checking against its length suffices
    private int size;
    private int depth;
    private int elements;
    private int component;

    /** Creates an output for messages of at most {@code bytesMax} bytes. */
    public WireOutput(int bytesMax) {
        this.bytesMax = bytesMax;
        this.array = new byte[Math.min(FIRST_BYTES, bytesMax)];
    }

    /** Discards the message. Keeps the array for the next message, unless a very large message made it grow. */
    public void reset() {
        if (array.length > KEPT_BYTES_MAX) {
            array = new byte[Math.min(FIRST_BYTES, bytesMax)];
        }
        size = 0;
        depth = 0;
        elements = 0;
        component = 0;
    }

    /** Array with the encoded bytes, from index 0 to {@link #size}. It is valid until the next value is put. */
    public byte[] array() {
        return array;
    }

    /** Number of bytes written so far. */
    public int size() {
        return size;
    }

    public void putByte(int value) {
        need(1);
        array[size++] = (byte) value;
    }

    /** Writes an int that is rarely negative, such as a count or length. A negative number takes five bytes. */
    public void putCount(int value) {
        if ((value & ~0x7F) == 0) {
            putByte(value);
            return;
        }
        need(sizeOf(value));
        int at = size;
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            array[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[at++] = (byte) rest;
        size = at;
    }

    /** Writes a long in zigzag encoding, which keeps negative numbers short too. */
    public void putLong(long value) {
        long rest = value << 1 ^ value >> 63;
        if ((rest & ~0x7FL) == 0) {
            putByte((int) rest);
            return;
        }
        need(sizeOf(rest));
        int at = size;
        while ((rest & ~0x7FL) != 0) {
            array[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[at++] = (byte) rest;
        size = at;
    }

    /** Writes a text as its length in UTF-8 and its bytes; an unpaired surrogate becomes a question mark. */
    public void putText(String text) {
        int length = Utf8.size(text);
        putCount(length);
        need(length);
        Utf8.write(text, length, array, size);
        size += length;
    }

    void putInt(int value) {
        putCount(value << 1 ^ value >> 31);
    }

    void putFloat(float value) {
        putBits(Float.floatToRawIntBits(value), Float.BYTES);
    }

    void putDouble(double value) {
        putBits(Double.doubleToRawLongBits(value), Double.BYTES);
    }

    void putBytes(Bytes bytes) {
        int length = bytes.size();
        putCount(length);
        need(length);
        bytes.read(content -> System.arraycopy(content, 0, array, size, length));
        size += length;
    }

    void putElements(int count) {
        if (count > ELEMENTS_MAX - elements) {
            throw new WireFault(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "more than " + ELEMENTS_MAX + " elements in its lists and maps (expected: at most that many);"
                            + " send it in parts");
        }
        elements += count;
        putCount(count);
    }

    void put(ValueCodec codec, @Nullable Object value) {
        if (value == null) {
            throw WireFault.malformed("null (expected: a value)");
        }
        codec.write(this, value);
    }

    /** Returns the index of the current component of the innermost record, for error texts. */
    int component() {
        return component;
    }

    void moveTo(int next) {
        component = next;
    }

    /**
     * Begins a record, whose length prefix {@link #endRecord} writes. Returns the position of the first component, to
     * be passed to {@code endRecord}.
     */
    int beginRecord() {
        if (++depth > DEPTH_MAX) {
            throw WireFault.malformed(
                    "more than " + DEPTH_MAX + " records inside one another (expected: at most that)");
        }
        putByte(0);
        return size;
    }

    /**
     * Ends a record by writing its length prefix, for which one byte was reserved. If the length needs more bytes, the
     * encoded components are moved.
     */
    void endRecord(int start) {
        depth--;
        int length = size - start;
        if (length < 0x80) {
            array[start - 1] = (byte) length;
            return;
        }
        int extra = sizeOf(length) - 1;
        need(extra);
        System.arraycopy(array, start, array, start + extra, length);
        size = start - 1;
        putCount(length);
        size += length;
    }

    /** Writes the lowest {@code bytes} bytes of {@code bits}, the most significant byte first. */
    private void putBits(long bits, int bytes) {
        need(bytes);
        for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            array[size++] = (byte) (bits >>> shift);
        }
    }

    private void need(int bytes) {
        if (bytes > array.length - size) {
            grow(bytes);
        }
    }

    private void grow(int bytes) {
        long needed = (long) size + bytes;
        if (needed > bytesMax || needed > ARRAY_BYTES_MAX) {
            throw new WireFault(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "more than " + bytesMax + " bytes (expected: at most that many);"
                            + " send less at once, or raise hearth.rpc.message.maxSize on both sides");
        }
        long wanted = Math.max(needed, 2L * array.length);
        array = Arrays.copyOf(array, (int) Math.min(wanted, Math.min(bytesMax, ARRAY_BYTES_MAX)));
    }

    private static int sizeOf(int count) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(count | 1) + 6) / 7;
    }

    private static int sizeOf(long bits) {
        return (Long.SIZE - Long.numberOfLeadingZeros(bits | 1) + 6) / 7;
    }
}
