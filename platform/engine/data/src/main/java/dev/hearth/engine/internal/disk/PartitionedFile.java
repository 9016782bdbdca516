package dev.hearth.engine.internal.disk;

/** A finished file and where its parts lie in it. Immutable; any thread may open it, each opening by itself. */
public interface PartitionedFile {
    int parts();

    /** The bytes of a part on disk; 0 when it is empty. */
    long bytes(int part);

    /** What is held in memory to find the parts. */
    default long indexBytes() {
        return Integer.BYTES * (parts() + 1L);
    }

    /** Where a part lies. */
    FileSegment place(int part);

    /** Reads one part from its beginning. */
    SegmentInput open(int part);

    /** The path, for messages. */
    String file();

    /** Removes the file; who has it open reads on or fails by {@link CorruptFileException}. Later calls do nothing. */
    void delete();
}
