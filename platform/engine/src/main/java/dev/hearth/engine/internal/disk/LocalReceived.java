package dev.hearth.engine.internal.disk;

import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Path;

/** A file of another process on its way to a local directory. Guarded by its own lock; ends as its contract says. */
final class LocalReceived implements ReceivedFile {
    private final LocalSegmentFiles files;
    private final MovingFile file;
    private boolean ended;

    LocalReceived(LocalSegmentFiles files, MovingFile file) {
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
            ended |= !done; // the file is gone with the failure
        }
    }

    @Override
    public synchronized Segment part(SegmentPart original) {
        long length = file.written();
        Path path = close();
        SegmentPart here = new SegmentPart(path.toString(), original.id(), original.part(), 0, length);
        return new PlacedSegment(files, here, () -> files.delete(path, length));
    }

    @Override
    public synchronized Segment whole() throws DamagedSegment {
        long length = file.written();
        Path path = close();
        boolean sound = false;
        try {
            StoredIndex stored = files.index(path);
            sound = true;
            return new LocalSegment(files, path, stored.id(), stored.index(), length);
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
                    file.subject() + ": its application has ended (expected: files for running applications alone)");
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
