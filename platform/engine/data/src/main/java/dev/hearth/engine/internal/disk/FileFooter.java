package dev.hearth.engine.internal.disk;

import dev.hearth.spi.shuffle.FrameFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Footer of a file, which readers need to find segments: the id of the file and the offsets of its segments. Immutable.
 */
record FileFooter(long id, SegmentIndex index) {
    /** Upper bound on the number of segments of a file, so that the file's footer fits in one array. */
    private static final int PARTS_MAX = Integer.MAX_VALUE / Long.BYTES - FrameFormat.TRAILER_BYTES;

    static FileFooter read(Disk disk, Path path) throws CorruptFileException {
        try (DiskInput file = disk.open(path)) {
            return read(file, path);
        } catch (IOException failure) {
            throw new CorruptFileException(
                    Files.exists(path)
                            ? path + ": cannot be read: " + LocalDirectories.reason(failure)
                                    + " (expected: a finished file)"
                            : path + ": is missing (expected: a file that exists until Hearth deletes it); another"
                                    + " process removed the file",
                    failure);
        }
    }

    private static FileFooter read(DiskInput file, Path path) throws IOException, CorruptFileException {
        long length = file.size();
        if (length < FrameFormat.TRAILER_BYTES) {
            throw damaged(path, "cut short to " + length + " bytes (expected: an index at its end)");
        }
        byte[] trailer = read(file, path, length - FrameFormat.TRAILER_BYTES, FrameFormat.TRAILER_BYTES);
        int parts = FrameFormat.readInt(trailer, 0);
        long footer = (parts + 1L) * Long.BYTES + FrameFormat.TRAILER_BYTES;
        if (FrameFormat.readLong(trailer, Integer.BYTES + Long.BYTES) != FrameFormat.MAGIC
                || parts < 0
                || parts > PARTS_MAX
                || footer > length) {
            throw damaged(path, "no index at its end (expected: the index of a finished file)");
        }
        byte[] bytes = read(file, path, length - footer, (int) footer);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length - Integer.BYTES);
        if ((int) checksum.getValue() != FrameFormat.readInt(bytes, bytes.length - Integer.BYTES)) {
            throw damaged(path, "checksum of the index does not match (expected: as it was written)");
        }
        long[] offsets = new long[parts + 1];
        for (int n = 0; n <= parts; n++) {
            offsets[n] = FrameFormat.readLong(bytes, n * Long.BYTES);
        }
        if (offsets[parts] != length - footer) {
            throw damaged(path, (length - footer) + " bytes before the index (expected: " + offsets[parts] + ")");
        }
        return new FileFooter(FrameFormat.readLong(trailer, Integer.BYTES), new SegmentIndex(offsets));
    }

    private static byte[] read(DiskInput file, Path path, long position, int length)
            throws IOException, CorruptFileException {
        byte[] bytes = new byte[length];
        for (int done = 0; done < length; ) {
            int count = file.read(position + done, bytes, done, length - done);
            if (count < 0) {
                throw damaged(path, "cut short while it was read (expected: " + (length - done) + " bytes more)");
            }
            done += count;
        }
        return bytes;
    }

    private static CorruptFileException damaged(Path path, String found) {
        return new CorruptFileException(path + ": " + found + "; the disk or the file system changed it");
    }
}
