package dev.hearth.engine.internal.record;

import java.util.Arrays;

/** Looks at records in their bytes, without making objects of them, where every application writes them alike. Stateless. */
public final class Encoded {
    private static final int UNKNOWN = -1;
    private static final byte[] WIDTHS = widths();
    private static final Kind[] KINDS = kinds();

    private Encoded() {}

    /** What a record is, as far as it can be told without making it. */
    public enum Kind {
        NULL,
        LONG,
        INTEGER,
        DOUBLE,
        /** A string of one byte a character. */
        LATIN,
        /** A string of two bytes a character, the lower one first. */
        WIDE,
        OTHER
    }

    private static byte[] widths() {
        byte[] widths = new byte[256];
        Arrays.fill(widths, (byte) UNKNOWN);
        for (int tag : new int[] {Tag.NULL, Tag.FALSE, Tag.TRUE}) {
            widths[tag] = 0;
        }
        widths[Tag.BYTE] = Byte.BYTES;
        widths[Tag.SHORT] = Short.BYTES;
        widths[Tag.SHORT_INT] = Short.BYTES;
        widths[Tag.CHAR] = Character.BYTES;
        for (int tag : new int[] {Tag.INT, Tag.SHORT_LONG, Tag.FLOAT}) {
            widths[tag] = Integer.BYTES;
        }
        for (int tag : new int[] {Tag.LONG, Tag.DOUBLE, Tag.DATE}) {
            widths[tag] = Long.BYTES;
        }
        widths[Tag.UUID] = 2 * Long.BYTES;
        return widths;
    }

    private static Kind[] kinds() {
        Kind[] kinds = new Kind[256];
        Arrays.fill(kinds, Kind.OTHER);
        kinds[Tag.NULL] = Kind.NULL;
        kinds[Tag.LONG] = Kind.LONG;
        kinds[Tag.SHORT_LONG] = Kind.LONG;
        kinds[Tag.INT] = Kind.INTEGER;
        kinds[Tag.SHORT_INT] = Kind.INTEGER;
        kinds[Tag.DOUBLE] = Kind.DOUBLE;
        kinds[Tag.LATIN_TEXT] = Kind.LATIN;
        kinds[Tag.WIDE_TEXT] = Kind.WIDE;
        return kinds;
    }

    /** The kind of the record that begins there. */
    public static Kind kind(byte[] page, int at) {
        return KINDS[page[at] & 0xFF];
    }

    /** Reads a number; of a {@link Kind#DOUBLE} its bits. */
    public static long readNumber(RecordInput in) {
        int tag = in.readByte() & 0xFF;
        if (tag == Tag.LONG || tag == Tag.DOUBLE) {
            return in.readLong();
        }
        return tag == Tag.SHORT_INT ? in.readShort() : in.readInt();
    }

    /** Moves to the first character of a string and returns how many bytes its characters take. */
    public static int enterText(RecordInput in) {
        int tag = in.readByte() & 0xFF;
        int length = in.readSize();
        long bytes = tag == Tag.WIDE_TEXT ? (long) Character.BYTES * length : length;
        in.expect((int) Math.min(bytes, Integer.MAX_VALUE));
        return (int) bytes;
    }

    /** Moves over a record whose form says how long it is; false, and nowhere, where only reading it would tell. */
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
        if (tag == Tag.PAIR && skip(in) && skip(in)) {
            return true;
        }
        in.moveTo(start);
        return false;
    }

    /** How wide the elements are of what begins with their number; 0 of anything else. */
    private static int unit(int tag) {
        return switch (tag) {
            case Tag.LATIN_TEXT, Tag.BYTES, Tag.BOOLEANS, Tag.BIG_INTEGER -> Byte.BYTES;
            case Tag.WIDE_TEXT, Tag.SHORTS, Tag.CHARS -> Short.BYTES;
            case Tag.INTS, Tag.FLOATS -> Integer.BYTES;
            case Tag.LONGS, Tag.DOUBLES -> Long.BYTES;
            default -> 0;
        };
    }
}
