package dev.hearth.engine.internal.disk;

/**
 * The temporary files of one application in this process, spread over its local directories. Any thread may call. A directory
 * that fails or is full is passed over for a while; when none is left, writers fail with {@code DISK_FAILED} and what each said.
 * <p>Closing it removes them all; those of a process that was killed are removed by the next one that looks.
 */
public interface SegmentFiles extends AutoCloseable {
    /** Begins a file of {@code parts} parts; {@code subject} names it in errors, for example {@code shuffle 3, map task 7}. */
    SegmentWriter create(String subject, int parts);

    /** As above, compressed as is set for {@code use}; without one it is a spill. */
    default SegmentWriter create(String subject, int parts, SegmentUse use) {
        return create(subject, parts);
    }

    /** The bytes that lie on disk now. */
    long bytes();

    @Override
    void close();
}
