package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.net.Bytes;
import java.util.Arrays;

/**
 * Reads values from untrusted bytes; every length is checked before use.
 *
 * <p>Used by one thread for one message. The array belongs to the caller; it is not written to, and not referenced
 * after decoding. {@link #ALLOCATION_FACTOR} bounds the memory that decoding allocates.
 */
public final class WireInput {
    /**
     * Decoding N bytes allocates at most this many times N bytes, the message included. The worst cases are lists of
     * maps with two one-byte entries (41 times) and texts of one malformed byte (38 times). Besides, each two bytes may
     * encode a record whose components are absent, which adds {@link #COMPONENT_ALLOCATION} per declared component.
     * Allocations by record constructors are not counted. JVMs with heaps beyond 32 GB, whose references take eight
     * bytes, need up to twice as much.
     */
    static final int ALLOCATION_FACTOR = 48;

    /**
     * Bytes allocated for a record component whose value is absent: its field in the record and, while the record's
     * serializer is not compiled, its element in an array.
     */
    static final int COMPONENT_ALLOCATION = 16;

    private final byte[] array;
    private int position;
    // end of the innermost record, minus one byte for each list or map element that is still to be read
    private int limit;
    private int depth;
    private int elements;
    private int component;

    /** Creates an input for the bytes from index {@code from}, inclusive, to {@code to}, exclusive. */
    public WireInput(byte[] array, int from, int to) {
        this.array = array;
        this.position = from;
        this.limit = to;
    }

    /** Takes a copy of all bytes that are left. */
    public byte[] takeRest() {
        byte[] rest = Arrays.copyOfRange(array, position, limit);
        position = limit;
        return rest;
    }

    public int takeByte() {
        if (position >= limit) {
            throw truncated(1);
        }
        return array[position++] & 0xFF;
    }

    /** Reads a number written by {@link WireOutput#putCount}. It may be negative, so callers must check it. */
    public int takeCount() {
        int next = takeByte();
        if (next < 0x80) {
            return next;
        }
        int result = next & 0x7F;
        for (int shift = 7; shift < Integer.SIZE; shift += 7) {
            next = takeByte();
            if (shift == 28 && next > 0x0F) {
                break;
            }
            result |= (next & 0x7F) << shift;
            if (next < 0x80) {
                return result;
            }
        }
        throw WireFault.malformed("a number of more than 32 bits (expected: an int)");
    }

    public long takeLong() {
        long result = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = takeByte();
            if (shift == 63 && next > 1) {
                break;
            }
            result |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return result >>> 1 ^ -(result & 1);
            }
        }
        throw WireFault.malformed("a number of more than 64 bits (expected: a long)");
    }

    public String takeText() {
        int size = takeLength();
        String text = Utf8.read(array, position, size);
        position += size;
        return text;
    }

    boolean takeFlag() {
        int value = takeByte();
        if (value > 1) {
            throw WireFault.malformed("byte " + value + " (expected: 0 or 1)");
        }
        return value == 1;
    }

    int takeInt() {
        int value = takeCount();
        return value >>> 1 ^ -(value & 1);
    }

    short takeShort() {
        int value = takeInt();
        if ((short) value != value) {
            throw WireFault.malformed(
                    value + " (expected: a short, " + Short.MIN_VALUE + " to " + Short.MAX_VALUE + ")");
        }
        return (short) value;
    }

    /** Reads a char. Accepts unpaired surrogates, because a single char need not be valid text. */
    char takeChar() {
        int value = takeCount();
        if ((char) value != value) {
            throw WireFault.malformed(
                    Integer.toUnsignedString(value) + " (expected: a char, 0 to " + (int) Character.MAX_VALUE + ")");
        }
        return (char) value;
    }

    float takeFloat() {
        return Float.intBitsToFloat((int) takeBits(Float.BYTES));
    }

    double takeDouble() {
        return Double.longBitsToDouble(takeBits(Double.BYTES));
    }

    Bytes takeBytes() {
        int size = takeLength();
        if (size == 0) {
            return Bytes.EMPTY;
        }
        byte[] content = new byte[size];
        System.arraycopy(array, position, content, 0, size);
        position += size;
        return Bytes.owning(content);
    }

    /**
     * Reads the number of elements of a list or map; one element has {@code values} values. Sets aside one of the
     * remaining bytes for each value, which the caller releases by {@link #beginValue} before it reads the value. The
     * sizes in a message thus add up to at most its length.
     */
    int takeElements(int values) {
        int count = takeCount();
        int left = (limit - position) / values;
        if (count < 0 || count > left) {
            throw badLength(count, left);
        }
        if (count > WireOutput.ELEMENTS_MAX - elements) {
            throw WireFault.malformed("more than " + WireOutput.ELEMENTS_MAX
                    + " elements in its lists and maps (expected: at most that many)");
        }
        elements += count;
        limit -= count * values;
        return count;
    }

    void beginValue() {
        limit++;
    }

    boolean atEnd() {
        return position >= limit;
    }

    /** Returns the index of the current component of the innermost record, for error texts. */
    int component() {
        return component;
    }

    void moveTo(int next) {
        component = next;
    }

    /**
     * Begins a nested record by reading its length, which limits further reads. Returns the previous limit, to be
     * passed to {@link #endRecord}.
     */
    int beginRecord() {
        if (++depth > WireOutput.DEPTH_MAX) {
            throw WireFault.malformed(
                    "more than " + WireOutput.DEPTH_MAX + " records inside one another (expected: at most that)");
        }
        int outer = limit;
        int length = takeLength();
        limit = position + length;
        return outer;
    }

    /**
     * Ends the record that {@link #beginRecord} began, and skips components that only a newer sender knows. {@code
     * outer} is the value that {@code beginRecord} returned.
     */
    void endRecord(int outer) {
        skipRest();
        limit = outer;
        depth--;
    }

    void skipRest() {
        position = limit;
    }

    private long takeBits(int bytes) {
        if (bytes > limit - position) {
            throw truncated(bytes);
        }
        long bits = 0;
        for (int i = 0; i < bytes; i++) {
            bits = bits << Byte.SIZE | (array[position++] & 0xFFL);
        }
        return bits;
    }

    private int takeLength() {
        int length = takeCount();
        int left = limit - position;
        if (length < 0 || length > left) {
            throw badLength(length, left);
        }
        return length;
    }

    private WireFault badLength(int length, int left) {
        return WireFault.malformed(
                "a length of " + Integer.toUnsignedString(length) + " (expected: at most the " + left + " left)");
    }

    private WireFault truncated(int bytes) {
        return WireFault.malformed("the end after " + (limit - position) + " bytes (expected: " + bytes + " more)");
    }
}
