package dev.hearth.engine.internal.disk;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.FileSegment;
import java.nio.file.Path;

/**
 * Local copy of a file of another process, while it is being received. Guarded by its own lock; ended by {@link #part},
 * {@link #whole} or {@link #abandon}.
 */
final class LocalReceivedFile implements ReceivedFile {
    private final LocalTemporaryFiles files;
    private final FailoverFile file;
    private boolean ended;

    LocalReceivedFile(LocalTemporaryFiles files, FailoverFile file) {
        this.files = files;
        this.file = file;
    }

    @Override
    public synchronized void write(byte[] bytes, int length) {
        requireOpen();
        boolean done = false;
        try {
            file.write(bytes, length);
            done = true;
        } finally {
            ended |= !done; // the copy has ended, because a failed write deletes the file
        }
    }

    @Override
    public synchronized PartitionedFile part(FileSegment original) {
        long length = file.written();
        Path path = close();
        FileSegment here = new FileSegment(path.toString(), original.id(), original.part(), 0, length);
        return new SingleSegmentFile(files, here, () -> files.delete(path, length));
    }

    @Override
    public synchronized PartitionedFile whole() throws CorruptFileException {
        long length = file.written();
        Path path = close();
        boolean sound = false;
        try {
            FileFooter stored = files.index(path);
            sound = true;
            return new LocalPartitionedFile(files, path, stored.id(), stored.index(), length);
        } finally {
            if (!sound) {
                files.delete(path, length);
            }
        }
    }

    private Path close() {
        requireOpen();
        ended = true;
        Path path = file.close();
        if (files.isClosed()) {
            file.abandon();
            throw ErrorCode.CONTEXT_CLOSED.failure(
                    file.subject() + ": its application has ended (expected: an application that runs)");
        }
        return path;
    }

    @Override
    public synchronized void abandon() {
        if (!ended) {
            ended = true;
            file.abandon();
        }
    }

    private void requireOpen() {
        if (ended) {
            throw new IllegalStateException(
                    file.subject() + ": its file is ended (expected: one that is being received)");
        }
    }
}
