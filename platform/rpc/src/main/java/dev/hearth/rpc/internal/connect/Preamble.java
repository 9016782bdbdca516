package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * First eight bytes that either side sends: {@code HRTH}, the lowest and highest supported protocol version, the
 * requested lane, and a reserved byte, written as zero and ignored when read. Both sides use the highest common
 * version.
 */
public record Preamble(int lowest, int highest, int laneCode) {
    /** Versions that this process supports. */
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

    /** Whether the bytes so far can be the beginning of a preamble. */
    static boolean begins(ByteBuf in) {
        int known = Math.min(in.readableBytes(), MAGIC_BYTES);
        for (int i = 0; i < known; i++) {
            if (in.getByte(in.readerIndex() + i) != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads a preamble that {@link #begins} has accepted and that is complete. */
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

    /** The preamble of a connection for {@code lane}. */
    Preamble on(Lane lane) {
        return new Preamble(lowest, highest, lane == Lane.BULK ? BULK : MESSAGES);
    }

    /** The requested lane; empty if unknown to this process. */
    Optional<Lane> lane() {
        return switch (laneCode) {
            case MESSAGES -> Optional.of(Lane.MESSAGES);
            case BULK -> Optional.of(Lane.BULK);
            default -> Optional.empty();
        };
    }

    /** The highest common version; empty if there is none. */
    OptionalInt common(Preamble other) {
        int version = Math.min(highest, other.highest);
        return version >= Math.max(lowest, other.lowest) ? OptionalInt.of(version) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return lowest == highest ? "version " + highest : "versions " + lowest + " to " + highest;
    }
}
