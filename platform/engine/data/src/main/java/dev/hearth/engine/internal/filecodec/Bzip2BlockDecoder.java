package dev.hearth.engine.internal.filecodec;

import java.io.IOException;

/**
 * Decodes the blocks of a bzip2 stream one after another: the Huffman codes, the symbols, and the inverse
 * Burrows-Wheeler transform. The caller expands runs of equal bytes, which bzip2 encodes before all other steps. Owned
 * by the stream that reads the blocks.
 */
final class Bzip2BlockDecoder {
    private static final int BLOCK_UNIT = 100_000;
    private static final int CODES_MAX = 6;
    private static final int SELECTORS_MAX = 18_002;
    private static final int GROUP_SYMBOLS = 50;
    private static final int SYMBOLS_MAX = 258;
    private static final int RUN_STEP_MAX = 2 * 1024 * 1024;

    private final BitInput in;
    private final int bytesMax;
    // low 8 bits: a byte of the text; high bits: the index of the next byte
    private final int[] links;
    // the byte values that occur in the block, the most recently used first
    private final byte[] recentBytes = new byte[256];
    private final byte[] selectors = new byte[SELECTORS_MAX];
    private final HuffmanCode[] codes = new HuffmanCode[CODES_MAX];
    private final Bzip2Randomisation randomisation = new Bzip2Randomisation();
    private boolean randomised;
    private int occurring;
    private int codeCount;
    private int selectorCount;
    private int length;
    private int next;
    private int left;

    Bzip2BlockDecoder(BitInput in, int level) {
        this.in = in;
        this.bytesMax = level * BLOCK_UNIT;
        this.links = new int[bytesMax];
    }

    /** Reads a block. The caller has already read the block's magic number and checksum. */
    void read() throws IOException {
        left = 0;
        randomised = in.readFlag();
        randomisation.reset();
        int origin = in.read(24);
        readOccurring();
        readSelectors();
        readCodes();
        int[] counts = readSymbols();
        if (origin >= length) {
            throw new IOException("a block starts at " + origin + " of " + length + " bytes");
        }
        link(counts);
        next = links[origin] >>> 8;
        left = length;
    }

    private void readOccurring() throws IOException {
        int sixteens = in.read(16);
        occurring = 0;
        for (int i = 0; i < 16; i++) {
            if ((sixteens & (0x8000 >>> i)) != 0) {
                int ones = in.read(16);
                for (int j = 0; j < 16; j++) {
                    if ((ones & (0x8000 >>> j)) != 0) {
                        recentBytes[occurring++] = (byte) (16 * i + j);
                    }
                }
            }
        }
        if (occurring == 0) {
            throw new IOException("a block in which no byte occurs");
        }
    }

    private void readSelectors() throws IOException {
        codeCount = in.read(3);
        int stated = in.read(15);
        if (codeCount < 2 || codeCount > CODES_MAX || stated == 0) {
            throw new IOException("a block of " + codeCount + " codes and " + stated + " selectors");
        }
        byte[] order = {0, 1, 2, 3, 4, 5};
        for (int i = 0; i < stated; i++) {
            int rank = 0;
            while (in.readFlag()) {
                rank++;
                if (rank >= codeCount) {
                    throw new IOException("a selector of a code that does not exist");
                }
            }
            byte code = order[rank];
            System.arraycopy(order, 0, order, 1, rank);
            order[0] = code;
            if (i < SELECTORS_MAX) { // ignore surplus selectors, because some writers add more than a block can use
                selectors[i] = code;
            }
        }
        selectorCount = Math.min(stated, SELECTORS_MAX);
    }

    private void readCodes() throws IOException {
        byte[] lengths = new byte[SYMBOLS_MAX];
        int symbols = occurring + 2;
        for (int code = 0; code < codeCount; code++) {
            int current = in.read(5);
            for (int symbol = 0; symbol < symbols; symbol++) {
                while (in.readFlag()) {
                    current += in.readFlag() ? -1 : 1;
                    if (current < 1 || current > HuffmanCode.LENGTH_MAX) {
                        throw new IOException("a word of " + current + " bits in a block's code");
                    }
                }
                if (current < 1 || current > HuffmanCode.LENGTH_MAX) {
                    throw new IOException("a word of " + current + " bits in a block's code");
                }
                lengths[symbol] = (byte) current;
            }
            codes[code] = new HuffmanCode(lengths, symbols);
        }
    }

    /**
     * Decodes the symbols of a block into bytes, and stores these in the low 8 bits of the elements of {@code links}.
     * Returns how often each byte value occurs.
     */
    private int[] readSymbols() throws IOException {
        int[] counts = new int[256];
        int end = occurring + 1;
        int group = 0;
        int inGroup = 0;
        int run = 0;
        int step = 1;
        HuffmanCode code = codes[selectors[0]];
        length = 0;
        while (true) {
            if (inGroup == GROUP_SYMBOLS) {
                inGroup = 0;
                if (++group >= selectorCount) {
                    throw new IOException("a block with too few selectors");
                }
                code = codes[selectors[group]];
            }
            inGroup++;
            int symbol = code.read(in);
            if (symbol <= 1) { // the symbol is a digit of a run length
                if (step > RUN_STEP_MAX) {
                    throw new IOException("a run longer than its block");
                }
                run += step << symbol;
                step <<= 1;
                continue;
            }
            if (run > 0) {
                repeat(recentBytes[0], run, counts);
                run = 0;
                step = 1;
            }
            if (symbol == end) {
                return counts;
            }
            byte value = recentBytes[symbol - 1];
            System.arraycopy(recentBytes, 0, recentBytes, 1, symbol - 1);
            recentBytes[0] = value;
            repeat(value, 1, counts);
        }
    }

    private void repeat(byte value, int times, int[] counts) throws IOException {
        if (times > bytesMax - length) {
            throw new IOException("a block of more than " + bytesMax + " bytes");
        }
        int plain = value & 0xFF;
        counts[plain] += times;
        for (int until = length + times; length < until; length++) {
            links[length] = plain;
        }
    }

    private void link(int[] counts) {
        int[] places = new int[256];
        for (int i = 1; i < places.length; i++) {
            places[i] = places[i - 1] + counts[i - 1];
        }
        for (int i = 0; i < length; i++) {
            links[places[links[i] & 0xFF]++] |= i << 8;
        }
    }

    /** The next byte of the decoded text, or -1 after the last byte of the block. */
    int next() {
        if (left == 0) {
            return -1;
        }
        left--;
        int link = links[next];
        next = link >>> 8;
        return randomised ? (link & 0xFF) ^ randomisation.mask() : link & 0xFF;
    }
}
