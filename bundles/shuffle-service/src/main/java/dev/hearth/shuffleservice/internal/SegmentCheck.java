package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.FrameFormat;
import java.io.IOException;
import java.io.RandomAccessFile;

/** Verifies the checksums of a segment on disk. It needs no key and no codec, as they cover the stored bytes. */
final class SegmentCheck {
    /** Maximum stored size of a slice: its bytes, and what encryption adds to them. */
    private static final int STORED_BYTES_MAX = FrameFormat.SLICE_BYTES + 64;

    private SegmentCheck() {}

    /** Reads a segment. Fails if it is missing, cut short or corrupt; the message says what was found. */
    static void verify(FileSegment segment) throws IOException {
        FrameFormat frames = new FrameFormat(segment.id());
        try (RandomAccessFile file = new RandomAccessFile(segment.file(), "r")) {
            file.seek(segment.offset());
            byte[] slice = new byte[FrameFormat.HEADER_BYTES];
            long left = segment.bytes();
            long frame = 0;
            while (left > 0) {
                int length = 0;
                int done = 0;
                for (int number = 0; number == 0 || done < length; number++) {
                    require(left >= FrameFormat.HEADER_BYTES, segment, frame, "cut off");
                    file.readFully(slice, 0, FrameFormat.HEADER_BYTES);
                    length = FrameFormat.readInt(slice, 0);
                    int stored = FrameFormat.readInt(slice, FrameFormat.STORED_AT);
                    left -= FrameFormat.HEADER_BYTES;
                    require(
                            stored > 0 && stored <= Math.min(left, STORED_BYTES_MAX) && length > 0,
                            segment,
                            frame,
                            "impossible sizes");
                    slice = grown(slice, FrameFormat.HEADER_BYTES + stored);
                    file.readFully(slice, FrameFormat.HEADER_BYTES, stored);
                    int checksum = frames.checksum(segment.part(), frame, number, slice, 0, stored);
                    require(
                            checksum == FrameFormat.readInt(slice, FrameFormat.CHECKSUM_AT),
                            segment,
                            frame,
                            "checksum does not match");
                    left -= stored;
                    done += Math.min(FrameFormat.SLICE_BYTES, length - done);
                }
                frame++;
            }
        }
    }

    private static byte[] grown(byte[] slice, int bytes) {
        if (slice.length >= bytes) {
            return slice;
        }
        byte[] larger = new byte[bytes];
        System.arraycopy(slice, 0, larger, 0, FrameFormat.HEADER_BYTES);
        return larger;
    }

    private static void require(boolean sound, FileSegment segment, long frame, String found) throws IOException {
        if (!sound) {
            throw new IOException(segment.file() + ": frame " + frame + " of part " + segment.part() + ": " + found
                    + " (expected: as it was written)");
        }
    }
}
