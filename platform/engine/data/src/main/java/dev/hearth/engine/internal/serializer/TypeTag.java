package dev.hearth.engine.internal.serializer;

/**
 * First byte of every serialised object: a tag for its type, or the number of its application class. The values are
 * part of the record format.
 */
final class TypeTag {
    static final int NULL = 0;
    /** A reference to an object written before in this record; its id follows, counted from 0. */
    static final int REFERENCE = 1;
    /** An object in Java serialisation: the number of bytes, then the bytes. */
    static final int JAVA = 2;

    static final int LATIN_TEXT = 3;
    static final int WIDE_TEXT = 4;
    static final int INT = 5;
    static final int LONG = 6;
    /** A Long that fits into an int and is written in four bytes. */
    static final int SHORT_LONG = 7;

    /** An Integer that fits into a short and is written in two bytes. */
    static final int SHORT_INT = 30;

    static final int DOUBLE = 8;
    static final int FLOAT = 9;
    static final int SHORT = 10;
    static final int BYTE = 11;
    static final int CHAR = 12;
    static final int FALSE = 13;
    static final int TRUE = 14;
    static final int PAIR = 15;
    static final int BIG_INTEGER = 16;
    static final int BIG_DECIMAL = 17;
    static final int UUID = 18;
    static final int DATE = 19;

    static final int BYTES = 20;
    static final int SHORTS = 21;
    static final int CHARS = 22;
    static final int INTS = 23;
    static final int LONGS = 24;
    static final int FLOATS = 25;
    static final int DOUBLES = 26;
    static final int BOOLEANS = 27;
    static final int OBJECTS = 28;
    static final int TEXTS = 29;

    static final int ARRAY_LIST = 32;
    static final int LINKED_LIST = 33;
    static final int ARRAY_DEQUE = 34;
    static final int HASH_SET = 35;
    static final int LINKED_HASH_SET = 36;
    static final int TREE_SET = 37;
    static final int HASH_MAP = 38;
    static final int LINKED_HASH_MAP = 39;
    static final int TREE_MAP = 40;
    static final int ARRAY_AS_LIST = 41;
    static final int FIXED_LIST = 42;
    static final int FIXED_SET = 43;
    static final int FIXED_MAP = 44;
    static final int EMPTY_LIST = 45;
    static final int EMPTY_SET = 46;
    static final int EMPTY_MAP = 47;

    static final int INSTANT = 56;
    static final int DURATION = 57;
    static final int LOCAL_DATE = 58;
    static final int LOCAL_TIME = 59;
    static final int LOCAL_DATE_TIME = 60;
    static final int ZONE_OFFSET = 61;
    static final int OFFSET_DATE_TIME = 62;
    static final int ZONED_DATE_TIME = 63;
    static final int PERIOD = 64;
    static final int YEAR = 65;
    static final int YEAR_MONTH = 66;

    /**
     * The tag of the application class with class number 0; the next class numbers have the next tags. Lower tags are
     * built in and mean the same in every application.
     */
    static final int CLASS = 72;

    /**
     * The tag of an application class whose class number is too large for a tag of one byte. The amount by which it is
     * too large follows.
     */
    static final int FURTHER_CLASS = 255;

    private TypeTag() {}
}
