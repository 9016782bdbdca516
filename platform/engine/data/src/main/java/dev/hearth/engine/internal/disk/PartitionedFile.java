package dev.hearth.engine.internal.disk;

import dev.hearth.spi.shuffle.FileSegment;

/**
 * Finished file that consists of segments, for example one per reduce task, and an index of them. Immutable. Any thread
 * may open a segment, and each opened segment is read independently.
 */
public interface PartitionedFile {
    int segments();

    /** Size of a segment on disk in bytes; 0 if the segment is empty. */
    long bytes(int part);

    /** Bytes of memory that the index of this file takes, which has the offset of each segment. */
    default long indexBytes() {
        return Integer.BYTES * (segments() + 1L);
    }

    /**
     * The location of the segment {@code part}: the file and the range of bytes, by which another process can read it.
     */
    FileSegment segment(int part);

    /** Opens a segment, to be read from its beginning. */
    SegmentInput open(int part);

    /** The path of the file. */
    String file();

    /** Leaves the file to another process, which deletes it. Later calls of {@link #delete} do nothing. */
    default void leave() {}

    /**
     * Deletes the file. Readers that have it open may continue, or fail with {@link CorruptFileException}. Later calls
     * do nothing.
     */
    void delete();
}
