package dev.hearth.kernel.internal.inventory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the size of the central directory of a zip file, its list of entries. The JDK reads the whole list into memory
 * when it opens the file. Stateless.
 */
public final class ZipDirectorySize {
    /**
     * Maximum size in bytes of a central directory that Hearth lets the JDK read. It is enough for some 150,000
     * entries.
     */
    public static final long BYTES_MAX = 16L << 20;

    /** Size of the end record of a zip file, without the comment that follows it. */
    private static final int END_BYTES = 22;

    private static final int COMMENT_BYTES_MAX = 65_535;
    private static final int END_SIGNATURE = 0x0605_4b50;
    private static final int SIZE_AT = 12;
    /**
     * Value of the size in the end record that refers to a second record, which contains the actual size in 64 bits.
     */
    private static final long IN_LARGE_END = 0xFFFF_FFFFL;

    private static final int LOCATOR_BYTES = 20;
    private static final int LOCATOR_SIGNATURE = 0x0706_4b50;
    private static final int LARGE_END_AT = 8;
    private static final int LARGE_END_BYTES = 56;
    private static final int LARGE_SIZE_AT = 40;

    private ZipDirectorySize() {}

    /**
     * Returns the size in bytes of the central directory of a zip file; 0 if the file has no end record. If the last
     * bytes of the file contain several end records, the largest stated size counts, as readers differ in which record
     * they use.
     */
    public static long of(Path file) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            int length = (int) Math.min(channel.size(), END_BYTES + COMMENT_BYTES_MAX + LOCATOR_BYTES);
            ByteBuffer tail = read(channel, channel.size() - length, length);
            long largest = 0;
            for (int at = tail.limit() - END_BYTES; at >= 0; at--) {
                if (tail.getInt(at) == END_SIGNATURE) {
                    largest = Math.max(largest, size(channel, tail, at));
                }
            }
            return largest;
        }
    }

    private static long size(SeekableByteChannel channel, ByteBuffer tail, int at) throws IOException {
        long size = Integer.toUnsignedLong(tail.getInt(at + SIZE_AT));
        int locator = at - LOCATOR_BYTES;
        if (size != IN_LARGE_END || locator < 0 || tail.getInt(locator) != LOCATOR_SIGNATURE) {
            return size;
        }
        long position = tail.getLong(locator + LARGE_END_AT);
        if (position < 0 || position > channel.size() - LARGE_END_BYTES) {
            return size;
        }
        long large = read(channel, position, LARGE_END_BYTES).getLong(LARGE_SIZE_AT);
        return large < 0 ? Long.MAX_VALUE : large;
    }

    private static ByteBuffer read(SeekableByteChannel channel, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        channel.position(position);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
        return bytes.flip();
    }
}
