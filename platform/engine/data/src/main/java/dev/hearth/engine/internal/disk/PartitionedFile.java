package dev.hearth.engine.internal.disk;

/**
 * Finished file that consists of segments, one for each reader, and an index of the segments. Immutable; any thread
 * may open it, and each opening is independent.
 */
public interface PartitionedFile {
    int segments();

    /** Bytes of a segment on disk; 0 if it is empty. */
    long bytes(int part);

    /** Memory for the index. */
    default long indexBytes() {
        return Integer.BYTES * (segments() + 1L);
    }

    /** Location of a segment. */
    FileSegment segment(int part);

    /** Reads one segment from its beginning. */
    SegmentInput open(int part);

    /** Path of the file. */
    String file();

    /** Deletes the file; readers continue or fail with {@link CorruptFileException}. Later calls do nothing. */
    void delete();
}
