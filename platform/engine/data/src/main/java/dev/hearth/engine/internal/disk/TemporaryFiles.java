package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import java.util.Optional;

/**
 * The temporary files of one application in this process, spread over its local directories. Any thread may call. A directory
 * that fails or is full is passed over for a while; when none is left, writers fail with {@code DISK_FAILED} and what each said.
 * <p>Closing it removes them all; those of a process that was killed are removed by the next one that looks.
 */
public interface TemporaryFiles extends AutoCloseable {
    /** Begins a file of {@code parts} parts; {@code subject} names it in errors, for example {@code shuffle 3, map task 7}. */
    PartitionedFileWriter create(String subject, int parts);

    /** As above, compressed as is set for {@code use}; without one it is a spill. */
    default PartitionedFileWriter create(String subject, int parts, FilePurpose use) {
        return create(subject, parts);
    }

    /** Begins a copy of what another process has finished; {@code subject} names it in errors. */
    ReceivedFile receive(String subject);

    /** The bytes of a finished file, whichever process of this machine wrote it. */
    SegmentSource source(FileSegment part);

    /** Reads a part of such a file. */
    default SegmentInput open(FileSegment part) {
        return open(part, source(part));
    }

    /** Reads a part of a finished file from {@code bytes}, which came from where it lies. */
    SegmentInput open(FileSegment part, SegmentSource bytes);

    /** What these files are sealed with, unless they are in clear; what is received is kept as it came. */
    default Optional<FileEncryptionKey> key() {
        return Optional.empty();
    }

    /** The bytes that lie on disk now. */
    long bytes();

    @Override
    void close();
}
