package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import java.util.Optional;

/**
 * Temporary files of one application in this process, spread over its local directories. Any thread may call. A
 * directory that fails or is full is skipped for a while; if none is left, writers fail with
 * {@code DISK_FAILED} and the error of each.
 * <p>{@link #close} deletes all files; files of a killed process are deleted by the next process that uses the
 * directory.
 */
public interface TemporaryFiles extends AutoCloseable {
    /**
     * Creates a file of {@code parts} segments; {@code subject} names it in errors, for example {@code shuffle
     * 3, map task 7}.
     */
    PartitionedFileWriter create(String subject, int parts);

    /** As above, compressed as configured for {@code use}; the default is a spill. */
    default PartitionedFileWriter create(String subject, int parts, FilePurpose use) {
        return create(subject, parts);
    }

    /** Starts a local copy of a file that another process wrote; {@code subject} names it in errors. */
    ReceivedFile receive(String subject);

    /** Source of the bytes of a finished file, which any process of this machine may have written. */
    SegmentSource source(FileSegment part);

    /** Reads a segment of such a file. */
    default SegmentInput open(FileSegment part) {
        return open(part, source(part));
    }

    /** Reads a segment of a finished file from {@code bytes}, a copy or the original. */
    SegmentInput open(FileSegment part, SegmentSource bytes);

    /** Key that encrypts these files; empty if they are plain. Received files are stored as they arrive. */
    default Optional<FileEncryptionKey> key() {
        return Optional.empty();
    }

    /** Bytes on disk now. */
    long bytes();

    @Override
    void close();
}
