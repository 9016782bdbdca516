package dev.hearth.spi.shuffle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Format of frames in a file. A frame is cut into slices of at most {@link #SLICE_BYTES}. The header of a slice has
 * four numbers: length of the whole frame, stored length of the slice, compression, checksum. The checksum also covers
 * the position of the slice, which detects misplaced slices. The file ends with the offsets of the segments and a
 * trailer of {@link #TRAILER_BYTES}. Owned by one thread.
 */
public final class FrameFormat {
    /** Size of the largest slice. A slice is compressed and checksummed as a whole. */
    public static final int SLICE_BYTES = 1 << 20;

    public static final int HEADER_BYTES = 4 * Integer.BYTES;
    public static final int STORED_AT = Integer.BYTES;
    public static final int COMPRESSION_AT = 2 * Integer.BYTES;
    public static final int CHECKSUM_AT = 3 * Integer.BYTES;

    /** Flag in the compression field of a header, which says that the slice is encrypted. */
    public static final int SEALED = 1 << 8;

    /**
     * Size of the trailer: number of segments, file id, magic number, and a checksum over the offsets and these three
     * fields.
     */
    public static final int TRAILER_BYTES = Integer.BYTES + Long.BYTES + Long.BYTES + Integer.BYTES;

    /** Magic number of the trailer: the text "hrthseg1" as a little-endian number. */
    public static final long MAGIC = 0x3167_6573_6874_7268L;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CRC32C checksum = new CRC32C();
    private final byte[] position = new byte[Long.BYTES + Long.BYTES + 2 * Integer.BYTES];

    /** Creates the format of the file with the id {@code segment}. */
    public FrameFormat(long segment) {
        writeLong(position, 0, segment);
    }

    /**
     * Returns the position of a slice as bytes: the file id, and the numbers of the frame, the segment and the slice.
     * The next call overwrites the returned array.
     */
    public byte[] position(int part, long frame, int slice) {
        writeLong(position, Long.BYTES, frame);
        writeInt(position, 2 * Long.BYTES, part);
        writeInt(position, 2 * Long.BYTES + Integer.BYTES, slice);
        return position;
    }

    /**
     * Returns the checksum of a slice and of its position in the file. The slice's header is at index {@code header} of
     * {@code array}; {@code stored} bytes follow the header.
     */
    public int checksum(int part, long frame, int slice, byte[] array, int header, int stored) {
        checksum.reset();
        checksum.update(position(part, frame, slice));
        checksum.update(array, header, CHECKSUM_AT);
        checksum.update(array, header + HEADER_BYTES, stored);
        return (int) checksum.getValue();
    }

    public static int readInt(byte[] array, int at) {
        return (int) INTS.get(array, at);
    }

    public static void writeInt(byte[] array, int at, int value) {
        INTS.set(array, at, value);
    }

    public static long readLong(byte[] array, int at) {
        return (long) LONGS.get(array, at);
    }

    public static void writeLong(byte[] array, int at, long value) {
        LONGS.set(array, at, value);
    }
}
