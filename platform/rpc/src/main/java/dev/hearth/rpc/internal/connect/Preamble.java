package dev.hearth.rpc.internal.connect;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * First eight bytes that each process sends on a connection. They are {@code HRTH}, the lowest and highest supported
 * protocol version, the requested lane (messages or bulk data), and a reserved zero byte. Both processes then use the
 * highest version that both support.
 */
public record Preamble(int lowest, int highest, int laneCode) {
    /** Preamble with the protocol versions that this process supports. */
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

    /** Reads a complete preamble, which {@link #begins} must have accepted. */
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

    /**
     * Returns the preamble to send on a connection for {@code lane} (messages or bulk data), with the same protocol
     * versions.
     */
    Preamble on(Lane lane) {
        return new Preamble(lowest, highest, lane == Lane.BULK ? BULK : MESSAGES);
    }

    /** Returns the requested lane; empty if this process does not know it. */
    Optional<Lane> lane() {
        return switch (laneCode) {
            case MESSAGES -> Optional.of(Lane.MESSAGES);
            case BULK -> Optional.of(Lane.BULK);
            default -> Optional.empty();
        };
    }

    /** Returns the highest protocol version that both preambles support; empty if there is none. */
    OptionalInt common(Preamble other) {
        int version = Math.min(highest, other.highest);
        return version >= Math.max(lowest, other.lowest) ? OptionalInt.of(version) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return lowest == highest ? "version " + highest : "versions " + lowest + " to " + highest;
    }
}
