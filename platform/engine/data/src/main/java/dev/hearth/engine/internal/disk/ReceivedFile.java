package dev.hearth.engine.internal.disk;

/**
 * Local copy of a file that another process wrote, while it is received byte for byte. Any thread may end the copy by
 * {@link #part}, {@link #whole} or {@link #abandon}. The first of these calls takes effect, and later writes are
 * refused.
 */
public interface ReceivedFile {
    /** Appends the first {@code length} bytes of the array. */
    void write(byte[] bytes, int length);

    /** Ends the copy, if the received bytes are one segment of a larger file. */
    PartitionedFile part(FileSegment original);

    /** Ends the copy, if the received bytes are a whole file with its footer. */
    PartitionedFile whole() throws CorruptFileException;

    /** Deletes the file. */
    void abandon();
}
