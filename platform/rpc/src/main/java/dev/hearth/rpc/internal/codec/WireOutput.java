package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Appends values to a buffer and keeps the bounds of a message: its bytes, its depth, its elements.
 * <p>Numbers are varints, seven bits a byte, lowest first. Used by one thread for one message; the buffer is the caller's.
 */
public final class WireOutput {
    /** How many records may stand inside one another. */
    static final int DEPTH_MAX = 64;

    /** How many elements the lists and maps of one message may hold together. */
    static final int ELEMENTS_MAX = 1 << 20;

    private static final int LENGTH_BYTES_MAX = 5;

    private final ByteBuf buffer;
    private final int bytesMax;
    private final long end;
    private int depth;
    private int elements;

    /** Appends up to {@code bytesMax} bytes to {@code buffer}. */
    public WireOutput(ByteBuf buffer, int bytesMax) {
        this.buffer = buffer;
        this.bytesMax = bytesMax;
        this.end = (long) buffer.writerIndex() + bytesMax;
    }

    public void putByte(int value) {
        need(1);
        buffer.writeByte(value);
    }

    /** An int that is seldom negative: a count, a length, a number; a negative one takes five bytes. */
    public void putCount(int value) {
        need(sizeOf(value));
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            buffer.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte(rest);
    }

    /** A long of which no bit pattern is more likely than its negation. */
    public void putLong(long value) {
        need(10);
        long rest = value << 1 ^ value >> 63;
        while ((rest & ~0x7FL) != 0) {
            buffer.writeByte((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        buffer.writeByte((int) rest);
    }

    public void putText(String text) {
        int size = ByteBufUtil.utf8Bytes(text);
        putCount(size);
        need(size);
        ByteBufUtil.reserveAndWriteUtf8(buffer, text, size);
    }

    void putInt(int value) {
        putCount(value << 1 ^ value >> 31);
    }

    void putDouble(double value) {
        need(Double.BYTES);
        buffer.writeDouble(value);
    }

    void putBytes(Bytes bytes) {
        putCount(bytes.size());
        need(bytes.size());
        bytes.read(content -> {
            buffer.writeBytes(content);
        });
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

    /** Begins a record whose length is not known yet; returns what {@link #endRecord} needs. */
    int beginRecord() {
        if (++depth > DEPTH_MAX) {
            throw WireFault.malformed(
                    "more than " + DEPTH_MAX + " records inside one another (expected: at most that)");
        }
        putByte(0);
        return buffer.writerIndex();
    }

    /** Puts the length before the record; room for one byte was left, a longer length moves the record. */
    void endRecord(int start) {
        depth--;
        int length = buffer.writerIndex() - start;
        int extra = sizeOf(length) - 1;
        if (extra > 0) {
            need(extra);
            buffer.ensureWritable(LENGTH_BYTES_MAX);
            if (buffer.hasArray()) {
                buffer.setBytes(start + extra, buffer, start, length); // an array copy: may overlap
            } else {
                byte[] record = new byte[length];
                buffer.getBytes(start, record).setBytes(start + extra, record);
            }
        }
        buffer.writerIndex(start - 1);
        putCount(length);
        buffer.writerIndex(start + extra + length);
    }

    private void need(int bytes) {
        if (bytes > end - buffer.writerIndex()) {
            throw new WireFault(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "more than " + bytesMax + " bytes (expected: at most that many);"
                            + " send less at once, or raise hearth.rpc.message.maxSize on both sides");
        }
    }

    private static int sizeOf(int count) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(count | 1);
        return (bits + 6) / 7;
    }
}
