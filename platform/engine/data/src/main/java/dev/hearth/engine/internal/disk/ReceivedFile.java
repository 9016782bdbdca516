package dev.hearth.engine.internal.disk;

import dev.hearth.spi.shuffle.FileSegment;

/**
 * Local copy of a file that another process wrote, while it is received byte for byte. Any thread may end the copy by
 * {@link #part}, {@link #whole} or {@link #abandon}. The first of these calls takes effect, and later writes are
 * refused.
 */
public interface ReceivedFile {
    /** Appends the first {@code length} elements of {@code bytes} to the local copy of the file. */
    void write(byte[] bytes, int length);

    /**
     * Ends the local copy and returns it as a file with one segment. The received bytes must be those of the segment
     * {@code original} of a larger file.
     */
    PartitionedFile part(FileSegment original);

    /** Ends the local copy and returns it as a file. The received bytes must be a whole file with its footer. */
    PartitionedFile whole() throws CorruptFileException;

    /** Ends the local copy of the file and deletes it. */
    void abandon();
}
