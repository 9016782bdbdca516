package dev.hearth.engine.internal.disk;

/**
 * Writes one file: segments in ascending order, each a sequence of frames. A frame holds whole records. Owned by one
 * thread. If a directory fails, the writer moves the file to another directory, and the caller does not notice.
 * <p>Ended by {@link #finish} or {@link #abandon}. The first call ends the file, and a later {@link #abandon} does
 * nothing.
 */
public interface PartitionedFileWriter {
    /** Recommended size of a frame in bytes, before compression; each call of {@link #write} writes one frame. */
    int FRAME_BYTES = 256 * 1024;

    /** Starts segment {@code part}, after a segment with a lower number. Skipped segments are empty. */
    void begin(int part);

    /**
     * Appends a frame to the current segment: {@code length} bytes of {@code bytes} from index {@code from} on, which
     * must be whole records. A frame may have any size.
     */
    void write(byte[] bytes, int from, int length);

    /** Number of bytes of this file that were written to disk so far, after compression. */
    long written();

    PartitionedFile finish();

    /** Deletes the file. */
    void abandon();
}
