package dev.hearth.engine.internal.disk;

/**
 * A file that another process finished, coming in as it lies there. Any thread may end it, by {@link #part}, {@link #whole} or {@link
 * #abandon}, whichever comes first; what is written behind that is refused.
 */
public interface ReceivedFile {
    /** Adds the first {@code length} bytes. */
    void write(byte[] bytes, int length);

    /** What came is one part of a file, without the rest of it. */
    PartitionedFile part(FileSegment original);

    /** What came is a whole file. */
    PartitionedFile whole() throws CorruptFileException;

    /** Removes the file. */
    void abandon();
}
