package dev.hearth.engine.internal.io;

/**
 * Layout of an object file: a magic number, batches of records, a table of classes and batch offsets, and a
 * trailer with the offset of that table. Numbers are little-endian. A file without its trailer is incomplete.
 * <pre>
 * batch: length of the records in bytes (int), their number (int), CRC32C of all other fields (int), the records
 * table: number of classes (size); length (size) and UTF-8 of each name; number of batches (int); each offset (long)
 * end:   offset of the table (long), its length in bytes (int), its CRC32C (int), magic number (long)
 * </pre>
 */
final class ObjectFileFormat {
    static final long BEGIN = 0x01_4A424F_48545248L; // the text "HRTHOBJ" and the version of this layout
    static final long END = 0x01_444E45_48545248L; // the text "HRTHEND" and the version of this layout
    static final int BEGIN_BYTES = Long.BYTES;
    static final int BATCH_HEAD_BYTES = 3 * Integer.BYTES;
    static final int CHECKED_HEAD_BYTES = 2 * Integer.BYTES;
    static final int END_BYTES = Long.BYTES + Integer.BYTES + Integer.BYTES + Long.BYTES;

    /** Size in bytes that a batch reaches before it is ended and written to the file. */
    static final int BATCH_BYTES = 256 * 1024;

    static final String CONTENT = "a complete object file, as saveAsObjectFile writes it";

    private ObjectFileFormat() {}
}
