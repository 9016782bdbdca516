package dev.hearth.engine.internal.disk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * How frames lie in a file: cut into chunks of {@link #CHUNK_BYTES}, each with a header of four numbers (bytes of the whole frame,
 * of the chunk as stored, compression, checksum). The checksum also covers where the chunk belongs, so that one that was
 * moved is noticed. At the end lie the offsets of parts, then the {@link #TRAILER_BYTES}. Owned by one thread.
 */
final class FrameFormat {
    /** What is compressed, checked and read at once. */
    static final int CHUNK_BYTES = 1 << 20;

    static final int HEADER_BYTES = 4 * Integer.BYTES;
    static final int STORED_AT = Integer.BYTES;
    static final int COMPRESSION_AT = 2 * Integer.BYTES;
    static final int CHECKSUM_AT = 3 * Integer.BYTES;

    /** Beside the compression of a chunk: it is sealed. */
    static final int SEALED = 1 << 8;

    /** The number of parts, the segment's id, what kind of file this is, and a checksum over all that follows the parts. */
    static final int TRAILER_BYTES = Integer.BYTES + Long.BYTES + Long.BYTES + Integer.BYTES;

    /** "hrthseg1" as a little-endian number. */
    static final long MAGIC = 0x3167_6573_6874_7268L;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CRC32C checksum = new CRC32C();
    private final byte[] place = new byte[Long.BYTES + Long.BYTES + 2 * Integer.BYTES];

    FrameFormat(long segment) {
        writeLong(place, 0, segment);
    }

    /** Where a chunk belongs, as bytes; until this is asked again. */
    byte[] place(int part, long frame, int chunk) {
        writeLong(place, Long.BYTES, frame);
        writeInt(place, 2 * Long.BYTES, part);
        writeInt(place, 2 * Long.BYTES + Integer.BYTES, chunk);
        return place;
    }

    /** The checksum of the chunk whose header stands at {@code header}, in that place. */
    int checksum(int part, long frame, int chunk, byte[] array, int header, int stored) {
        checksum.reset();
        checksum.update(place(part, frame, chunk));
        checksum.update(array, header, CHECKSUM_AT);
        checksum.update(array, header + HEADER_BYTES, stored);
        return (int) checksum.getValue();
    }

    static int readInt(byte[] array, int at) {
        return (int) INTS.get(array, at);
    }

    static void writeInt(byte[] array, int at, int value) {
        INTS.set(array, at, value);
    }

    static long readLong(byte[] array, int at) {
        return (long) LONGS.get(array, at);
    }

    static void writeLong(byte[] array, int at, long value) {
        LONGS.set(array, at, value);
    }
}
