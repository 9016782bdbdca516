package dev.hearth.engine.internal.filecodec;

import java.io.IOException;

/**
 * Huffman code of a bzip2 block, built from the lengths of its code words. Short code words are decoded by a table
 * lookup, long ones by a search over the lengths. Owned by one thread.
 */
final class HuffmanCode {
    static final int LENGTH_MAX = 20;

    private static final int TABLE_BITS = 10;
    private static final int LENGTH_SHIFT = 16;

    private final int[] table = new int[1 << TABLE_BITS]; // length and symbol of a code word; 0 for longer code words
    private final int[] limits = new int[LENGTH_MAX + 2]; // the value after the last code word of each length
    private final int[] offsets = new int[LENGTH_MAX + 2]; // from a word to its index in `symbols`
    private final int[] symbols;

    HuffmanCode(byte[] lengths, int count) {
        symbols = new int[count];
        int word = 0;
        int place = 0;
        for (int length = 1; length <= LENGTH_MAX; length++) {
            offsets[length] = place - word;
            for (int symbol = 0; symbol < count; symbol++) {
                if (lengths[symbol] == length) {
                    symbols[place++] = symbol;
                    enter(word, length, symbol);
                    word++;
                }
            }
            limits[length] = word;
            word <<= 1;
        }
    }

    private void enter(int word, int length, int symbol) {
        if (length <= TABLE_BITS) {
            int free = TABLE_BITS - length;
            for (int i = 0; i < 1 << free; i++) {
                int at = word << free | i;
                if (at < table.length) { // too many code words for their lengths: reported when one is read
                    table[at] = length << LENGTH_SHIFT | symbol;
                }
            }
        }
    }

    int read(BitInput in) throws IOException {
        int bits = in.peek(LENGTH_MAX);
        int found = table[bits >>> (LENGTH_MAX - TABLE_BITS)];
        if (found != 0) {
            in.skip(found >>> LENGTH_SHIFT);
            return found & 0xFFFF;
        }
        for (int length = TABLE_BITS + 1; length <= LENGTH_MAX; length++) {
            int word = bits >>> (LENGTH_MAX - length);
            if (word < limits[length]) {
                int place = word + offsets[length];
                if (place < 0 || place >= symbols.length) {
                    break;
                }
                in.skip(length);
                return symbols[place];
            }
        }
        throw new IOException("bits that are no word of the block's code");
    }
}
