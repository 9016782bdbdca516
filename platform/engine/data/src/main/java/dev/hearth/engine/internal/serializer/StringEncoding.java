package dev.hearth.engine.internal.serializer;

import java.nio.charset.StandardCharsets;

/**
 * Encoding of strings: one byte per character if all characters are in Latin-1, otherwise two bytes. Preserves unpaired
 * surrogates, which UTF-8 would lose.
 */
final class StringEncoding {
    private StringEncoding() {}

    static void write(String text, RecordOutput out) {
        if (JdkInternals.isLatin(text)) {
            writeLatin(text, out);
        } else {
            out.writeByte(TypeTag.WIDE_TEXT);
            writeWide(text, out);
        }
    }

    // the deprecated getBytes copies the low bytes, which is right for Latin-1, without an intermediate array
    @SuppressWarnings("deprecation")
    private static void writeLatin(String text, RecordOutput out) {
        int length = text.length();
        out.writeByte(TypeTag.LATIN_TEXT);
        out.writeSize(length);
        out.require(length);
        int at = out.position();
        text.getBytes(0, length, out.array(), at);
        out.moveTo(at + length);
    }

    static String readLatin(RecordInput in) {
        int length = in.readSize();
        in.expect(length);
        int at = in.position();
        in.moveTo(at + length);
        return new String(in.array(), at, length, StandardCharsets.ISO_8859_1);
    }

    private static void writeWide(String text, RecordOutput out) {
        int length = text.length();
        out.writeSize(length);
        out.require(bytesOf(length));
        for (int i = 0; i < length; i++) {
            out.writeChar(text.charAt(i));
        }
    }

    private static int bytesOf(int chars) {
        return (int) Math.min(Integer.MAX_VALUE, 2L * chars); // the output rejects sizes that are too large
    }

    static String readWide(RecordInput in) {
        int length = in.readSize();
        in.expect(length < 0 ? -1 : bytesOf(length));
        char[] chars = new char[length];
        for (int i = 0; i < length; i++) {
            chars[i] = in.readChar();
        }
        return new String(chars);
    }

    /**
     * Serializer for a string that is a whole record. Strings inside objects need no serializer, because the reader and
     * writer use {@link StringEncoding} directly.
     */
    static final class LatinSerializer extends TypeSerializer {
        LatinSerializer() {
            super(TypeTag.LATIN_TEXT, ReferenceTracking.NONE, true);
        }

        @Override
        void write(Object value, RecordWriter out) {
            throw new IllegalStateException(
                    "string: written by its serializer (expected: by the writer, with its tag)");
        }

        @Override
        Object read(RecordReader in) {
            return readLatin(in.in());
        }
    }
}
