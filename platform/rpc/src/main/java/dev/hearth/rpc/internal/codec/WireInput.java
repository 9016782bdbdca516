package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.rpc.Bytes;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Takes values from a buffer that anybody may have filled: every length is checked before it is used.
 * <p>Used by one thread for one message; the buffer is the caller's and is read up to the end of the message.
 */
public final class WireInput {
    private final ByteBuf buffer;
    private int limit;
    private int depth;
    private int elements;

    /** Reads what is readable in {@code buffer} now. */
    public WireInput(ByteBuf buffer) {
        this.buffer = buffer;
        this.limit = buffer.writerIndex();
    }

    public int takeByte() {
        need(1);
        return buffer.readUnsignedByte();
    }

    /** What {@link WireOutput#putCount} wrote, which may be negative; lengths are checked where they are used. */
    public int takeCount() {
        int result = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            int next = takeByte();
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
        String text = buffer.toString(buffer.readerIndex(), size, StandardCharsets.UTF_8);
        buffer.skipBytes(size);
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

    double takeDouble() {
        need(Double.BYTES);
        return buffer.readDouble();
    }

    Bytes takeBytes() {
        byte[] content = new byte[takeLength()];
        buffer.readBytes(content);
        return Bytes.owning(content);
    }

    /** The size of a list or map. No element takes less than a byte, so more than the bytes left is a lie. */
    int takeElements() {
        int count = takeLength();
        if (count > WireOutput.ELEMENTS_MAX - elements) {
            throw WireFault.malformed("more than " + WireOutput.ELEMENTS_MAX
                    + " elements in its lists and maps (expected: at most that many)");
        }
        elements += count;
        return count;
    }

    boolean atEnd() {
        return buffer.readerIndex() >= limit;
    }

    /** Begins a record with its length; returns what {@link #endRecord} needs. */
    int beginRecord() {
        if (++depth > WireOutput.DEPTH_MAX) {
            throw WireFault.malformed(
                    "more than " + WireOutput.DEPTH_MAX + " records inside one another (expected: at most that)");
        }
        int outer = limit;
        int length = takeLength();
        limit = buffer.readerIndex() + length;
        return outer;
    }

    /** Skips what a newer sender put behind the components known here. */
    void endRecord(int outer) {
        skipRest();
        limit = outer;
        depth--;
    }

    void skipRest() {
        buffer.readerIndex(limit);
    }

    private int takeLength() {
        int length = takeCount();
        int left = limit - buffer.readerIndex();
        if (length < 0 || length > left) {
            throw WireFault.malformed(
                    "a length of " + Integer.toUnsignedString(length) + " (expected: at most the " + left + " left)");
        }
        return length;
    }

    private void need(int bytes) {
        int left = limit - buffer.readerIndex();
        if (bytes > left) {
            throw WireFault.malformed("the end after " + left + " bytes (expected: " + bytes + " more)");
        }
    }
}
