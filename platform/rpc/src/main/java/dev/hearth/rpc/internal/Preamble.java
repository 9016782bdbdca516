package dev.hearth.rpc.internal;

import io.netty.buffer.ByteBuf;
import java.util.OptionalInt;

/**
 * The first eight bytes either side sends: {@code HRTH}, the lowest and the highest protocol version it speaks, and two
 * bytes that are reserved: written as zero, read as anything. The highest version both speak is used.
 */
record Preamble(int lowest, int highest) {
    static final int BYTES = 8;

    /** What this process speaks. */
    static final Preamble OURS = new Preamble(1, 1);

    private static final byte[] MAGIC = {'H', 'R', 'T', 'H'};
    private static final int RESERVED = 0;

    /** Whether what is readable so far can still become a preamble. */
    static boolean begins(ByteBuf in) {
        int known = Math.min(in.readableBytes(), MAGIC.length);
        for (int i = 0; i < known; i++) {
            if (in.getByte(in.readerIndex() + i) != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads a preamble that {@link #begins} and is all there. */
    static Preamble read(ByteBuf in) {
        in.skipBytes(MAGIC.length);
        Preamble preamble = new Preamble(in.readUnsignedByte(), in.readUnsignedByte());
        in.skipBytes(Short.BYTES);
        return preamble;
    }

    void write(ByteBuf out) {
        out.writeBytes(MAGIC).writeByte(lowest).writeByte(highest).writeShort(RESERVED);
    }

    /** The highest version that both speak; empty when there is none. */
    OptionalInt common(Preamble other) {
        int version = Math.min(highest, other.highest);
        return version >= Math.max(lowest, other.lowest) ? OptionalInt.of(version) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return lowest == highest ? "version " + highest : "versions " + lowest + " to " + highest;
    }
}
