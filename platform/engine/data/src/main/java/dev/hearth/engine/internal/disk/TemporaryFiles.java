package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import java.util.Optional;

/**
 * Temporary files of one application in this process, spread over its local directories. Any thread may call. A
 * directory that fails or is full is skipped for a while; if none is left, writers fail with {@code DISK_FAILED} and
 * the error of each directory.
 * <p>{@link #close} deletes all files; files of a killed process are deleted by the next process that uses the
 * directory.
 */
public interface TemporaryFiles extends AutoCloseable {
    /**
     * Creates a file of {@code parts} segments; {@code subject} names it in errors, for example {@code shuffle
     * 3, map task 7}.
     */
    PartitionedFileWriter create(String subject, int parts);

    /**
     * As {@link #create(String, int)}, which compresses as configured for spills; this file is compressed as
     * configured for {@code use}.
     */
    default PartitionedFileWriter create(String subject, int parts, FilePurpose use) {
        return create(subject, parts);
    }

    /** Starts a local copy of a file that another process wrote; {@code subject} names it in errors. */
    ReceivedFile receive(String subject);

    /** Source of the bytes of a finished file, written by any process of this machine. */
    SegmentSource source(FileSegment part);

    /** Opens a segment of a finished file, written by any process of this machine. */
    default SegmentInput open(FileSegment part) {
        return open(part, source(part));
    }

    /** Opens a segment of a finished file; its bytes come from {@code bytes}, the file itself or a copy. */
    SegmentInput open(FileSegment part, SegmentSource bytes);

    /**
     * Key that encrypts these files; empty if they are plain. Received files are stored as they arrive, encrypted or
     * not.
     */
    default Optional<FileEncryptionKey> key() {
        return Optional.empty();
    }

    /** Bytes that these files use on disk now. */
    long bytes();

    @Override
    void close();
}
