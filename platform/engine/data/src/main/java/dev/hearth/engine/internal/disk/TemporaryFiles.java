package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import dev.hearth.spi.shuffle.FileSegment;
import java.util.Optional;

/**
 * Temporary files of one application in this process, spread over its local directories. Any thread may call. A
 * directory that fails or is full is skipped for a while. If no directory is left, writers fail with
 * {@code DISK_FAILED} and the error of each directory.
 * <p>{@link #close} deletes all files. Files of a killed process are deleted by the next process that uses the
 * directory.
 */
public interface TemporaryFiles extends AutoCloseable {
    /**
     * Creates a file of {@code parts} segments, compressed as configured for spills. {@code subject} names the file in
     * errors, for example {@code shuffle 3, map task 7}.
     */
    PartitionedFileWriter create(String subject, int parts);

    /** Creates a file like {@link #create(String, int)}, but compressed as configured for its purpose {@code use}. */
    default PartitionedFileWriter create(String subject, int parts, FilePurpose use) {
        return create(subject, parts);
    }

    /**
     * Starts to receive a local copy of a file that another process wrote. {@code subject} names the file in errors.
     */
    ReceivedFile receive(String subject);

    /**
     * Returns a source that reads the bytes of the segment {@code part} from its file. Any process of this machine may
     * have written that file.
     */
    SegmentSource source(FileSegment part);

    /** Opens the segment {@code part} of a finished file. Any process of this machine may have written that file. */
    default SegmentInput open(FileSegment part) {
        return open(part, source(part));
    }

    /**
     * Opens the segment {@code part} of a finished file. The source {@code bytes} supplies its bytes, from the file
     * itself or from a copy of it.
     */
    SegmentInput open(FileSegment part, SegmentSource bytes);

    /**
     * The key that encrypts these files; empty if they are plain. Received files are stored as they arrive, encrypted
     * or not.
     */
    default Optional<FileEncryptionKey> key() {
        return Optional.empty();
    }

    /** Number of bytes that these files use on disk now. */
    long bytes();

    @Override
    void close();
}
