package dev.hearth.engine.internal.serializer;

import java.nio.charset.StandardCharsets;

/** Strings: one byte a character where all are of Latin-1, else two, whatever they are. */
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

    @SuppressWarnings("deprecation") // the low bytes are all there is, and go straight where they belong
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
        return (int) Math.min(Integer.MAX_VALUE, 2L * chars); // too many are refused where room is made
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

    /** A form for texts where they stand alone; those in other things are written and read without asking for one. */
    static final class Latin extends TypeSerializer {
        Latin() {
            super(TypeTag.LATIN_TEXT, ReferenceTracking.NONE, true);
        }

        @Override
        void write(Object value, RecordWriter out) {
            throw new IllegalStateException("text: written by its form (expected: with its own tag)");
        }

        @Override
        Object read(RecordReader in) {
            return readLatin(in.in());
        }
    }
}
