package dev.hearth.rpc.internal.codec;

import java.nio.charset.StandardCharsets;

/** UTF-8 encoding that needs no intermediate copy for ASCII text. Stateless. */
final class Utf8 {
    private static final int ASCII_END = 0x80;
    private static final int TWO_BYTES_END = 0x800;

    private Utf8() {}

    /** Number of bytes of {@code text} in UTF-8; an unpaired surrogate is encoded as one question mark. */
    static int size(String text) {
        int chars = text.length();
        int size = chars;
        for (int i = 0; i < chars; i++) {
            char next = text.charAt(i);
            if (next >= ASCII_END) {
                if (next < TWO_BYTES_END) {
                    size++;
                } else if (!Character.isSurrogate(next)) {
                    size += 2;
                } else if (Character.isHighSurrogate(next)
                        && i + 1 < chars
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    size += 2; // together, the surrogate pair takes four bytes
                    i++;
                }
            }
        }
        return size;
    }

    /**
     * Writes {@code text} to {@code into}, from index {@code from} on. {@code size} is the number of bytes of its
     * encoding.
     */
    static void write(String text, int size, byte[] into, int from) {
        if (size == text.length() && ascii(text, size, into, from)) {
            return;
        }
        System.arraycopy(text.getBytes(StandardCharsets.UTF_8), 0, into, from, size);
    }

    static String read(byte[] from, int start, int size) {
        return size == 0 ? "" : new String(from, start, size, StandardCharsets.UTF_8);
    }

    /**
     * Writes {@code text} if all its characters are ASCII; otherwise returns false. Comparing the numbers of characters
     * and bytes is not enough, because an unpaired surrogate takes one byte too.
     */
    private static boolean ascii(String text, int size, byte[] into, int from) {
        for (int i = 0; i < size; i++) {
            char next = text.charAt(i);
            if (next >= ASCII_END) {
                return false;
            }
            into[from + i] = (byte) next;
        }
        return true;
    }
}
