package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Form of the nodes with facts. A group of facts, each after its size, is cut into pieces of a maximum size. A piece has the number
 * of its form, whether it is the last one of its group, a checksum of its bytes, and the bytes.
 */
final class FactPieces {
    private static final byte FORM = 1;
    private static final int HEADER = 2 + Integer.BYTES;

    private FactPieces() {}

    /** Cuts a group of facts into pieces with at most {@code bytesMax} bytes of it each. */
    static List<byte[]> of(Iterable<Bytes> facts, int bytesMax) {
        ByteArrayOutputStream group = new ByteArrayOutputStream();
        facts.forEach(fact -> {
            group.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(fact.size()).array());
            fact.read(group::writeBytes);
        });
        byte[] whole = group.toByteArray();
        List<byte[]> pieces = new ArrayList<>();
        int from = 0;
        do {
            int length = Math.min(bytesMax, whole.length - from);
            boolean last = from + length == whole.length;
            pieces.add(ByteBuffer.allocate(HEADER + length)
                    .put(FORM)
                    .put((byte) (last ? 1 : 0))
                    .putInt(checksum(whole, from, length))
                    .put(whole, from, length)
                    .array());
            from += length;
        } while (from < whole.length);
        return pieces;
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, from, length);
        return (int) sum.getValue();
    }

    /** Reader of pieces in their order, which passes the facts of each whole group on. */
    static final class Reader {
        private final Consumer<Bytes> facts;
        private final ByteArrayOutputStream group = new ByteArrayOutputStream();
        private int pieces; // of the group that is not whole yet

        Reader(Consumer<Bytes> facts) {
            this.facts = facts;
        }

        /** Reads the next piece. Returns whether it is as it was written. */
        boolean read(byte[] piece) {
            if (piece.length < HEADER || piece[0] != FORM) {
                return false;
            }
            ByteBuffer in = ByteBuffer.wrap(piece);
            boolean last = in.get(1) == 1;
            if (in.getInt(2) != checksum(piece, HEADER, piece.length - HEADER)) {
                return false;
            }
            group.write(piece, HEADER, piece.length - HEADER);
            pieces++;
            return !last || each();
        }

        private boolean each() {
            ByteBuffer in = ByteBuffer.wrap(group.toByteArray());
            group.reset();
            pieces = 0;
            while (in.remaining() >= Integer.BYTES) {
                int size = in.getInt();
                if (size < 0 || size > in.remaining()) {
                    return false;
                }
                byte[] fact = new byte[size];
                in.get(fact);
                facts.accept(Bytes.owning(fact));
            }
            return !in.hasRemaining();
        }

        /** Number of pieces at the end whose group is not whole. */
        int incomplete() {
            return pieces;
        }
    }
}
