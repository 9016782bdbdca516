package dev.hearth.engine.internal.disk;

/**
 * Local copy of a file that another process wrote, while it is received byte for byte. Any thread may end it by
 * {@link #part}, {@link #whole} or {@link #abandon}; the first call wins, and later writes are refused.
 */
public interface ReceivedFile {
    /** Appends the first {@code length} bytes. */
    void write(byte[] bytes, int length);

    /** Ends the copy; the received bytes are one segment of a larger file. */
    PartitionedFile part(FileSegment original);

    /** Ends the copy; the received bytes are a whole file with its footer. */
    PartitionedFile whole() throws CorruptFileException;

    /** Deletes the file. */
    void abandon();
}
