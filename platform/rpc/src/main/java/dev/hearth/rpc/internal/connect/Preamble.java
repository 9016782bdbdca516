package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The first eight bytes either side sends: {@code HRTH}, the lowest and the highest protocol version it speaks, the lane it
 * wants, and a byte that is reserved: written as zero, read as anything. The highest version both speak is used.
 */
public record Preamble(int lowest, int highest, int laneCode) {
    /** What this process speaks. */
    public static final Preamble OURS = new Preamble(1, 1);

    static final int BYTES = 8;
    static final int MAGIC_BYTES = 4;
    private static final byte[] MAGIC = {'H', 'R', 'T', 'H'};
    private static final int MESSAGES = 0;
    private static final int BULK = 1;
    private static final int RESERVED = 0;

    public Preamble(int lowest, int highest) {
        this(lowest, highest, MESSAGES);
    }

    /** Whether what is readable so far can still become a preamble. */
    static boolean begins(ByteBuf in) {
        int known = Math.min(in.readableBytes(), MAGIC_BYTES);
        for (int i = 0; i < known; i++) {
            if (in.getByte(in.readerIndex() + i) != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads a preamble that {@link #begins} and is all there. */
    static Preamble read(ByteBuf in) {
        in.skipBytes(MAGIC_BYTES);
        Preamble preamble = new Preamble(in.readUnsignedByte(), in.readUnsignedByte(), in.readUnsignedByte());
        in.skipBytes(Byte.BYTES);
        return preamble;
    }

    void write(ByteBuf out) {
        out.writeBytes(MAGIC)
                .writeByte(lowest)
                .writeByte(highest)
                .writeByte(laneCode)
                .writeByte(RESERVED);
    }

    /** The same for a connection that is to carry {@code lane}. */
    Preamble on(Lane lane) {
        return new Preamble(lowest, highest, lane == Lane.BULK ? BULK : MESSAGES);
    }

    /** What the connection is to carry; empty when that is not known here. */
    Optional<Lane> lane() {
        return switch (laneCode) {
            case MESSAGES -> Optional.of(Lane.MESSAGES);
            case BULK -> Optional.of(Lane.BULK);
            default -> Optional.empty();
        };
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
