package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.net.Bytes;

/**
 * Takes values from bytes that anybody may have made: every length is checked before it is used.
 * <p>Used by one thread for one message; the array is the caller's, is not written to, and is let go of afterwards. What
 * reading N bytes may allocate stands at {@link #ALLOCATION_FACTOR}.
 */
public final class WireInput {
    /**
     * Decoding N bytes allocates at most this many times N bytes, the message included. Worst are lists of maps of two
     * one-byte entries (41 times), then texts of one broken byte (38 times). A record whose components are mostly missing
     * adds {@link #COMPONENT_ALLOCATION} for each component it declares, per two bytes. Not counted is what constructors of
     * records allocate. JVMs with heaps beyond 32 GB, whose references take eight bytes, need up to twice as much.
     */
    static final int ALLOCATION_FACTOR = 48;

    /** Bytes of a component that was not sent: its field and, until the record is compiled, its place in an array. */
    static final int COMPONENT_ALLOCATION = 16;

    private final byte[] array;
    private int position;
    private int limit; // the end of the innermost record, less one byte for each element that is still to come in it
    private int depth;
    private int elements;
    private int component;

    /** Reads from {@code from}, inclusive, to {@code to}, exclusive. */
    public WireInput(byte[] array, int from, int to) {
        this.array = array;
        this.position = from;
        this.limit = to;
    }

    public int takeByte() {
        if (position >= limit) {
            throw ended(1);
        }
        return array[position++] & 0xFF;
    }

    /** What {@link WireOutput#putCount} wrote, which may be negative; lengths are checked where they are used. */
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

    /** Any of the 65,536, halves of surrogate pairs too. */
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
     * The size of a list or map whose elements or entries are of {@code values} values each, none of which takes less than
     * a byte; {@link #beginValue} is to be called before each of them. The bytes of values to come are out of reach until
     * then, so that all sizes in a message together never claim more than its bytes.
     */
    int takeElements(int values) {
        int count = takeCount();
        int left = (limit - position) / values;
        if (count < 0 || count > left) {
            throw lengthy(count, left);
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

    /** The component of the innermost record that is being read. */
    int component() {
        return component;
    }

    void moveTo(int next) {
        component = next;
    }

    /** Begins a record with its length; returns what {@link #endRecord} needs. */
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

    /** Skips what a newer sender put behind the components known here. */
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
            throw ended(bytes);
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
            throw lengthy(length, left);
        }
        return length;
    }

    private WireFault lengthy(int length, int left) {
        return WireFault.malformed(
                "a length of " + Integer.toUnsignedString(length) + " (expected: at most the " + left + " left)");
    }

    private WireFault ended(int bytes) {
        return WireFault.malformed("the end after " + (limit - position) + " bytes (expected: " + bytes + " more)");
    }
}
