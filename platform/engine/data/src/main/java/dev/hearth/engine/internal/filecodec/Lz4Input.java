package dev.hearth.engine.internal.filecodec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes concatenated LZ4 frames. Verifies all checksums, supports blocks that refer to earlier blocks, and skips
 * skippable frames. A file that begins with no frame is decoded as the blocks that Hadoop writes to files of the same
 * suffix. Owned by one thread.
 */
final class Lz4Input extends DecodedInput {
    private static final int WINDOW_BYTES = 64 * 1024;
    private static final int SIZE_BYTES = 8;
    private static final byte[] NOTHING = {};

    private final InputStream in;
    private final XxHash32 content = new XxHash32();
    private final byte[] small = new byte[32];
    private byte[] block = NOTHING; // compressed
    private byte[] text = NOTHING; // decompressed bytes: a window of earlier blocks, then the current block
    private int blockBytesMax;
    private int flags;
    private long stated; // length of the content as the frame header states it
    private long read; // length of the content as decoded so far
    private int position;
    private int limit;
    private boolean begun;
    private @Nullable HadoopBlockInput blocks; // set if the file has blocks of Hadoop instead of frames
    private boolean inFrame;
    private boolean ended;

    Lz4Input(InputStream in) {
        this.in = in;
    }

    @Override
    int decode(byte[] bytes, int from, int length) throws IOException {
        while (position == limit) {
            if (blocks != null) {
                return blocks.decode(bytes, from, length);
            }
            if (ended || (inFrame ? !nextBlock() : !nextFrame())) {
                return -1;
            }
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(text, position, bytes, from, count);
        position += count;
        return count;
    }

    /** Reads the header of the next frame. Returns false at the end of the input. */
    private boolean nextFrame() throws IOException {
        int found = in.readNBytes(small, 0, Integer.BYTES);
        if (found == 0) {
            ended = true;
            return false;
        }
        if (found < Integer.BYTES) {
            throw new EOFException("the file ends in the middle of a frame header");
        }
        int magic = littleEndian(0);
        if ((magic & Lz4Frame.SKIPPABLE_MASK) == Lz4Frame.SKIPPABLE) {
            begun = true;
            pass(readInt() & 0xFFFFFFFFL);
            return true;
        }
        if (magic != Lz4Frame.MAGIC) {
            int length = Integer.reverseBytes(magic);
            if (!begun && length > 0 && length <= HadoopBlockInput.LENGTH_MAX) {
                blocks = new HadoopBlockInput(in, HadoopBlockInput.LZ4, length);
                return true;
            }
            throw new IOException("a frame begins with " + Integer.toHexString(magic) + ", which is no LZ4 frame");
        }
        begun = true;
        readDescriptor();
        inFrame = true;
        return true;
    }

    private void readDescriptor() throws IOException {
        expect(small, 0, 2);
        flags = small[0];
        int code = (small[1] >>> 4) & 7;
        if ((flags & Lz4Frame.VERSION_MASK) != Lz4Frame.VERSION
                || (flags & Lz4Frame.RESERVED) != 0
                || code < 4
                || (small[1] & 0x8F) != 0) {
            throw new IOException("a frame of an unknown version");
        }
        if ((flags & Lz4Frame.DICTIONARY) != 0) {
            throw new IOException("a dictionary is required, which is not supported");
        }
        int length = 2;
        if ((flags & Lz4Frame.SIZED) != 0) {
            expect(small, length, SIZE_BYTES);
            stated = (littleEndian(length) & 0xFFFFFFFFL) | (long) littleEndian(length + Integer.BYTES) << 32;
            length += SIZE_BYTES;
        }
        expect(small, length, 1);
        if (small[length] != Lz4Frame.check(small, 0, length)) {
            throw new IOException("the checksum of a frame header does not match");
        }
        blockBytesMax = Lz4Frame.blockBytes(code);
        if (block.length < blockBytesMax + Lz4BlockDecoder.SLACK_BYTES) {
            block = new byte[blockBytesMax + Lz4BlockDecoder.SLACK_BYTES];
            text = new byte[WINDOW_BYTES + blockBytesMax + Lz4BlockDecoder.SLACK_BYTES];
        }
        content.reset();
        read = 0;
        position = 0;
        limit = 0;
    }

    /** Decodes the next block of the current frame. After the last block, verifies the end of the frame instead. */
    private boolean nextBlock() throws IOException {
        int size = readInt();
        if (size == 0) {
            endFrame();
            return true;
        }
        int length = size & ~Lz4Frame.STORED;
        if (length > blockBytesMax) {
            throw new IOException("a block of " + length + " bytes, more than the " + blockBytesMax + " of its frame");
        }
        int begin = 0;
        if ((flags & Lz4Frame.INDEPENDENT) == 0) {
            begin = Math.min(limit, WINDOW_BYTES);
            System.arraycopy(text, limit - begin, text, 0, begin);
        }
        expect(block, 0, length);
        if ((flags & Lz4Frame.BLOCK_CHECKED) != 0 && readInt() != XxHash32.of(block, 0, length)) {
            throw new IOException("the checksum of a block does not match");
        }
        if (size < 0) {
            System.arraycopy(block, 0, text, begin, length);
            limit = begin + length;
        } else {
            limit = begin; // set before decoding, so that no byte of a corrupt block is returned
            position = begin;
            limit = Lz4BlockDecoder.decode(block, length, text, 0, begin, begin + blockBytesMax);
        }
        position = begin;
        read += limit - begin;
        if ((flags & Lz4Frame.CONTENT_CHECKED) != 0) {
            content.update(text, begin, limit - begin);
        }
        return true;
    }

    private void endFrame() throws IOException {
        inFrame = false;
        if ((flags & Lz4Frame.CONTENT_CHECKED) != 0 && readInt() != content.value()) {
            throw new IOException("the checksum of a frame does not match");
        }
        if ((flags & Lz4Frame.SIZED) != 0 && stated != read) {
            throw new IOException("a frame of " + read + " bytes (written: " + stated + ")");
        }
    }

    private void pass(long bytes) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (EOFException end) {
            throw (IOException) new EOFException("the file ends in the middle of a skippable frame").initCause(end);
        }
    }

    private int readInt() throws IOException {
        expect(small, 0, Integer.BYTES);
        return littleEndian(0);
    }

    private void expect(byte[] into, int from, int length) throws IOException {
        if (in.readNBytes(into, from, length) < length) {
            throw new EOFException("the file ends in the middle of compressed data");
        }
    }

    private int littleEndian(int at) {
        return (small[at] & 0xFF) | (small[at + 1] & 0xFF) << 8 | (small[at + 2] & 0xFF) << 16 | small[at + 3] << 24;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        position = limit;
        in.close();
    }
}
