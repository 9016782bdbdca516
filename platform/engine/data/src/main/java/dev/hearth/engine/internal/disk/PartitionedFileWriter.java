package dev.hearth.engine.internal.disk;

/**
 * Writes one file: parts in ascending order, each of frames of whole records. Owned by one thread. When a directory fails
 * half-way the file is begun again in another one, with what it holds so far; the caller notices nothing.
 * <p>Ends by {@link #finish} or {@link #abandon}, whichever comes first; the other one then does nothing.
 */
public interface PartitionedFileWriter {
    /** What is best given to one {@link #write}. */
    int FRAME_BYTES = 256 * 1024;

    /** Everything from now on belongs to {@code part}; those passed over are empty. */
    void begin(int part);

    /** Adds a frame of whole records to the part; a large one is a large frame. */
    void write(byte[] bytes, int from, int length);

    /** The bytes written to disk so far. */
    long written();

    PartitionedFile finish();

    /** Removes the file. */
    void abandon();
}
