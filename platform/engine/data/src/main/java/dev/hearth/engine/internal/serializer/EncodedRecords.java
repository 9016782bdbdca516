package dev.hearth.engine.internal.serializer;

import java.util.Arrays;

/**
 * Inspects serialised records of built-in types, which all applications encode alike, without deserialising them.
 * Stateless.
 */
public final class EncodedRecords {
    private static final int UNKNOWN = -1;
    private static final byte[] WIDTHS = widths();
    private static final Kind[] KINDS = kinds();

    private EncodedRecords() {}

    /** Type of the value in a serialised record, as the first byte of the record shows it. */
    public enum Kind {
        NULL,
        LONG,
        INTEGER,
        DOUBLE,
        /** A string with one byte per character. */
        LATIN,
        /** A string with two bytes per character, little-endian. */
        WIDE,
        OTHER
    }

    private static byte[] widths() {
        byte[] widths = new byte[256];
        Arrays.fill(widths, (byte) UNKNOWN);
        for (int tag : new int[] {TypeTag.NULL, TypeTag.FALSE, TypeTag.TRUE}) {
            widths[tag] = 0;
        }
        widths[TypeTag.BYTE] = Byte.BYTES;
        widths[TypeTag.SHORT] = Short.BYTES;
        widths[TypeTag.SHORT_INT] = Short.BYTES;
        widths[TypeTag.CHAR] = Character.BYTES;
        for (int tag : new int[] {TypeTag.INT, TypeTag.SHORT_LONG, TypeTag.FLOAT}) {
            widths[tag] = Integer.BYTES;
        }
        for (int tag : new int[] {TypeTag.LONG, TypeTag.DOUBLE, TypeTag.DATE}) {
            widths[tag] = Long.BYTES;
        }
        widths[TypeTag.UUID] = 2 * Long.BYTES;
        return widths;
    }

    private static Kind[] kinds() {
        Kind[] kinds = new Kind[256];
        Arrays.fill(kinds, Kind.OTHER);
        kinds[TypeTag.NULL] = Kind.NULL;
        kinds[TypeTag.LONG] = Kind.LONG;
        kinds[TypeTag.SHORT_LONG] = Kind.LONG;
        kinds[TypeTag.INT] = Kind.INTEGER;
        kinds[TypeTag.SHORT_INT] = Kind.INTEGER;
        kinds[TypeTag.DOUBLE] = Kind.DOUBLE;
        kinds[TypeTag.LATIN_TEXT] = Kind.LATIN;
        kinds[TypeTag.WIDE_TEXT] = Kind.WIDE;
        return kinds;
    }

    /**
     * Returns the type of the value in the record that begins at index {@code at} of {@code page}, an array of
     * serialised records.
     */
    public static Kind kind(byte[] page, int at) {
        return KINDS[page[at] & 0xFF];
    }

    /** Reads a serialised number and returns it as a long. Of a {@link Kind#DOUBLE}, returns the bits. */
    public static long readNumber(RecordInput in) {
        int tag = in.readByte() & 0xFF;
        if (tag == TypeTag.LONG || tag == TypeTag.DOUBLE) {
            return in.readLong();
        }
        return tag == TypeTag.SHORT_INT ? in.readShort() : in.readInt();
    }

    /**
     * Moves {@code in}, which is at a serialised string, to the string's first character. Returns the size of all its
     * characters in bytes.
     */
    public static int enterText(RecordInput in) {
        int tag = in.readByte() & 0xFF;
        int length = in.readSize();
        long bytes = tag == TypeTag.WIDE_TEXT ? (long) Character.BYTES * length : length;
        in.expect((int) Math.min(bytes, Integer.MAX_VALUE));
        return (int) bytes;
    }

    /**
     * Skips a record whose length can be computed without deserialisation, and returns true. For any other record,
     * returns false and keeps the position.
     */
    static boolean skip(RecordInput in) {
        int start = in.position();
        int tag = in.readByte() & 0xFF;
        int width = WIDTHS[tag];
        if (width >= 0) {
            in.expect(width);
            in.moveTo(in.position() + width);
            return true;
        }
        int unit = unit(tag);
        if (unit > 0) {
            long bytes = (long) in.readSize() * unit;
            in.expect((int) Math.max(-1, Math.min(bytes, Integer.MAX_VALUE)));
            in.moveTo(in.position() + (int) bytes);
            return true;
        }
        if (tag == TypeTag.PAIR && skip(in) && skip(in)) {
            return true;
        }
        in.moveTo(start);
        return false;
    }

    /**
     * Returns the bytes per element of the type with {@code tag}, if its encoding starts with the number of elements; 0
     * for other types.
     */
    private static int unit(int tag) {
        return switch (tag) {
            case TypeTag.LATIN_TEXT, TypeTag.BYTES, TypeTag.BOOLEANS, TypeTag.BIG_INTEGER -> Byte.BYTES;
            case TypeTag.WIDE_TEXT, TypeTag.SHORTS, TypeTag.CHARS -> Short.BYTES;
            case TypeTag.INTS, TypeTag.FLOATS -> Integer.BYTES;
            case TypeTag.LONGS, TypeTag.DOUBLES -> Long.BYTES;
            default -> 0;
        };
    }
}
