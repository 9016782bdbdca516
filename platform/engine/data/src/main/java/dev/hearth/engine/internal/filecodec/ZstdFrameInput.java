package dev.hearth.engine.internal.filecodec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Passes zstd data frames on unchanged, and removes skippable frames, which the decoder does not support. The block
 * headers show where a frame ends. Owned by one thread.
 */
final class ZstdFrameInput extends DecodedInput {
    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPABLE = 0x184D2A50; // skippable frames have this magic number or one of the next 15
    private static final int SKIPPABLE_MASK = 0xFFFFFFF0;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int BLOCK_HEADER_BYTES = 3;
    private static final int CHECKSUM_BYTES = 4;
    private static final int RUN_BLOCK = 1; // one repeated byte
    private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};
    private static final int[] SIZE_BYTES = {0, 2, 4, 8};

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position; // index in the buffer of the next byte to pass on
    private int limit;
    private long pass; // number of bytes that are passed on without inspection
    private boolean any; // true once a data frame was found
    private boolean inFrame;
    private boolean lastBlock;
    private boolean checked;

    ZstdFrameInput(InputStream in) {
        this.in = in;
    }

    /** Returns whether the input has no data frame, because it is empty or has only skippable frames. */
    boolean isEmpty() throws IOException {
        while (!any) {
            if (!begin()) {
                return true;
            }
        }
        return false;
    }

    @Override
    int decode(byte[] bytes, int from, int length) throws IOException {
        while (pass == 0) {
            if (inFrame) {
                look();
            } else if (!begin()) {
                return -1;
            }
        }
        if (position == limit && !fill(1)) {
            throw new EOFException("the file ends in the middle of compressed data");
        }
        int count = (int) Math.min(pass, Math.min(length, limit - position));
        System.arraycopy(buffer, position, bytes, from, count);
        position += count;
        pass -= count;
        return count;
    }

    /**
     * Reads the header of the next data frame, or skips the next skippable frame. Returns false at the end of the
     * input.
     */
    private boolean begin() throws IOException {
        if (position == limit && !fill(1)) {
            return false;
        }
        expect(Integer.BYTES);
        int magic = littleEndian(position);
        if ((magic & SKIPPABLE_MASK) == SKIPPABLE) {
            expect(2 * Integer.BYTES);
            pass((littleEndian(position + Integer.BYTES) & 0xFFFFFFFFL) + 2 * Integer.BYTES);
            return true;
        }
        if (magic != MAGIC) {
            throw new IOException("a frame begins with " + Integer.toHexString(magic) + ", which is no zstd frame");
        }
        expect(Integer.BYTES + 1);
        int descriptor = buffer[position + Integer.BYTES];
        boolean single = (descriptor & 0x20) != 0;
        int size = SIZE_BYTES[(descriptor >>> 6) & 3];
        checked = (descriptor & 0x04) != 0;
        pass = (long) Integer.BYTES + 1 + (single ? Math.max(1, size) : 1 + size) + DICTIONARY_BYTES[descriptor & 3];
        any = true;
        inFrame = true;
        lastBlock = false;
        return true;
    }

    /**
     * Reads the header of the current frame's next block, so that {@link #decode} passes on that block. Ends the frame
     * after its last block.
     */
    private void look() throws IOException {
        if (lastBlock) {
            pass = checked ? CHECKSUM_BYTES : 0;
            inFrame = false;
            return;
        }
        expect(BLOCK_HEADER_BYTES);
        int header =
                (buffer[position] & 0xFF) | (buffer[position + 1] & 0xFF) << 8 | (buffer[position + 2] & 0xFF) << 16;
        lastBlock = (header & 1) != 0;
        pass = (long) BLOCK_HEADER_BYTES + (((header >>> 1) & 3) == RUN_BLOCK ? 1 : header >>> 3);
    }

    private void pass(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            if (position == limit) {
                expect(1);
            }
            int step = (int) Math.min(left, limit - position);
            position += step;
            left -= step;
        }
    }

    private void expect(int bytes) throws IOException {
        if (limit - position < bytes && !fill(bytes)) {
            throw new EOFException("the file ends in the middle of a frame");
        }
    }

    /**
     * Reads from the input until the buffer holds at least {@code bytes} unread bytes. Returns false if the input has
     * fewer bytes left.
     */
    private boolean fill(int bytes) throws IOException {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
        while (limit < bytes) {
            int read = in.read(buffer, limit, buffer.length - limit);
            if (read < 0) {
                return false;
            }
            limit += read;
        }
        return true;
    }

    private int littleEndian(int at) {
        return (buffer[at] & 0xFF)
                | (buffer[at + 1] & 0xFF) << 8
                | (buffer[at + 2] & 0xFF) << 16
                | buffer[at + 3] << 24;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
