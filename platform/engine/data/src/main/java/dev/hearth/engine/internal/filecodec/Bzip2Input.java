package dev.hearth.engine.internal.filecodec;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Decodes concatenated bzip2 streams and verifies the checksums of all blocks and streams. Owned by one thread. */
final class Bzip2Input extends DecodedInput {
    private static final int STREAM_MAGIC = 'B' << 16 | 'Z' << 8 | 'h';
    private static final int MAGIC_HALF_BITS = 24;
    private static final int BLOCK_MAGIC_HIGH = 0x314159;
    private static final int BLOCK_MAGIC_LOW = 0x265359;
    private static final int END_MAGIC_HIGH = 0x177245;
    private static final int END_MAGIC_LOW = 0x385090;
    private static final int RUN_SHORTENED = 4; // four equal bytes are followed by the number of further equal bytes
    private static final int[] CHECKS = checks();

    private final BitInput in;
    private @Nullable Bzip2BlockDecoder block;
    private int level;
    private int blockStated;
    private int blockCheck;
    private int streamCheck;
    private int last;
    private int equal; // number of equal bytes in a row so far
    private int repeats; // number of repetitions that are still to be returned
    private boolean inStream;
    private boolean inBlock;
    private boolean ended;

    Bzip2Input(InputStream in) {
        this.in = new BitInput(in);
    }

    private static int[] checks() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int check = i << 24;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                check = check << 1 ^ (check < 0 ? 0x04C11DB7 : 0);
            }
            table[i] = check;
        }
        return table;
    }

    @Override
    int decode(byte[] bytes, int from, int length) throws IOException {
        while (!ended) {
            Bzip2BlockDecoder open = block;
            if (inBlock && open != null) {
                int count = expand(open, bytes, from, length);
                if (count > 0) {
                    return count;
                }
                endBlock();
            } else if (inStream) {
                nextBlock();
            } else {
                nextStream();
            }
        }
        return -1;
    }

    /**
     * Copies at most {@code length} decoded bytes of the block {@code open} into {@code bytes}, and expands the runs of
     * equal bytes. Returns the number of bytes copied.
     */
    private int expand(Bzip2BlockDecoder open, byte[] bytes, int from, int length) {
        int at = from;
        int until = from + length;
        int check = blockCheck;
        while (at < until) {
            if (repeats > 0) {
                repeats--;
            } else {
                int value = open.next();
                if (value < 0) {
                    break;
                }
                if (equal == RUN_SHORTENED) {
                    repeats = value;
                    equal = 0;
                    continue;
                }
                equal = value == last ? equal + 1 : 1;
                last = value;
            }
            bytes[at++] = (byte) last;
            check = check << 8 ^ CHECKS[(check >>> 24) ^ last];
        }
        blockCheck = check;
        return at - from;
    }

    private void endBlock() throws IOException {
        inBlock = false;
        if (~blockCheck != blockStated) {
            throw new IOException("the checksum of a block does not match");
        }
        streamCheck = Integer.rotateLeft(streamCheck, 1) ^ blockStated;
    }

    private void nextStream() throws IOException {
        if (in.isAtEnd()) {
            ended = true;
            return;
        }
        int magic = in.read(MAGIC_HALF_BITS);
        int digit = in.read(Byte.SIZE) - '0';
        if (magic != STREAM_MAGIC || digit < 1 || digit > 9) {
            throw new IOException("no bzip2 stream");
        }
        if (block == null || digit != level) {
            level = digit;
            block = new Bzip2BlockDecoder(in, level);
        }
        streamCheck = 0;
        inStream = true;
    }

    private void nextBlock() throws IOException {
        int high = in.read(MAGIC_HALF_BITS);
        int low = in.read(MAGIC_HALF_BITS);
        int stated = in.read(Integer.SIZE);
        if (high == END_MAGIC_HIGH && low == END_MAGIC_LOW) {
            if (stated != streamCheck) {
                throw new IOException("the checksum of a stream does not match");
            }
            in.align();
            inStream = false;
            return;
        }
        if (high != BLOCK_MAGIC_HIGH || low != BLOCK_MAGIC_LOW) {
            throw new IOException("neither a block nor the end of a stream");
        }
        blockStated = stated;
        blockCheck = -1;
        last = -1;
        equal = 0;
        repeats = 0;
        if (block != null) {
            block.read();
        }
        inBlock = true;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        in.close();
    }
}
