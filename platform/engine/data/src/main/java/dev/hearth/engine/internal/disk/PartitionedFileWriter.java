package dev.hearth.engine.internal.disk;

/**
 * Writes one file: segments in ascending order, each a sequence of frames of whole records. Owned by one thread. If a
 * directory fails, the file is moved to another one with its content, invisibly for the caller.
 * <p>Ended by {@link #finish} or {@link #abandon}; the first call wins, and a later {@link #abandon} does nothing.
 */
public interface PartitionedFileWriter {
    /** Recommended size of a {@link #write}. */
    int FRAME_BYTES = 256 * 1024;

    /** Starts segment {@code part}; skipped segments are empty. */
    void begin(int part);

    /** Appends a frame of whole records to the segment; frames may be of any size. */
    void write(byte[] bytes, int from, int length);

    /** Bytes written so far. */
    long written();

    PartitionedFile finish();

    /** Deletes the file. */
    void abandon();
}
