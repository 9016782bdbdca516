package dev.hearth.engine.internal.filecodec;

import java.io.IOException;

/**
 * Huffman code of a bzip2 block, built from the lengths of its code words. A short code word is decoded by a table
 * lookup, a long one by a search over the possible lengths. Owned by one thread.
 */
final class HuffmanCode {
    static final int LENGTH_MAX = 20;

    private static final int TABLE_BITS = 10;
    private static final int LENGTH_SHIFT = 16;

    // by the next bits of the input: length and symbol of their code word; 0 if it is too long for this table
    private final int[] table = new int[1 << TABLE_BITS];
    // by length: the value after the last code word of that length
    private final int[] limits = new int[LENGTH_MAX + 2];
    // by length: the difference between a code word and its index in `symbols`
    private final int[] offsets = new int[LENGTH_MAX + 2];
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
                if (at < table.length) {
                    // skip surplus code words of a corrupt block: an error is thrown when one is read
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
