package dev.hearth.engine.internal.disk;

/**
 * Writes one file: segments in ascending order, each a sequence of frames. A frame holds whole records. Owned by one
 * thread. If a directory fails, the writer moves the file to another directory, and the caller does not notice.
 * <p>Ended by {@link #finish} or {@link #abandon}. The first call ends the file, and a later {@link #abandon} does
 * nothing.
 */
public interface PartitionedFileWriter {
    /** Recommended number of bytes per call of {@link #write}. */
    int FRAME_BYTES = 256 * 1024;

    /** Starts segment {@code part}, after a segment with a lower number. Skipped segments are empty. */
    void begin(int part);

    /** Appends a frame, which must hold whole records, to the current segment. A frame may have any size. */
    void write(byte[] bytes, int from, int length);

    /** Number of bytes written so far, after compression. */
    long written();

    PartitionedFile finish();

    /** Deletes the file. */
    void abandon();
}
