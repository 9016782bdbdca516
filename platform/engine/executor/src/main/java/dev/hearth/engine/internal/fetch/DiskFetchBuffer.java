package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of one part that go to a file of this machine, there until this is closed. Guarded by itself, for they may still come when
 * nobody wants them any more.
 */
final class DiskFetchBuffer implements FetchBuffer {
    private final TemporaryFiles files;
    private final FileSegment place;
    private final String subject;
    private @Nullable ReceivedFile file; // of the last try
    private @Nullable PartitionedFile here; // once all has come
    private boolean closed;
    private volatile @Nullable RuntimeException failure;

    DiskFetchBuffer(TemporaryFiles files, FileSegment place, String subject) {
        this.files = files;
        this.place = place;
        this.subject = subject;
    }

    @Override
    public synchronized StreamSink sink() {
        if (closed) { // while whoever tries again was about to
            throw ErrorCode.TRANSFER_ABORTED.failure(subject + ": not wanted any more");
        }
        drop();
        failure = null;
        ReceivedFile fresh = files.receive(subject);
        file = fresh;
        return new Writing(new FileSink(subject, place.bytes(), fresh));
    }

    @Override
    public synchronized SegmentSource source(FileSegment part, long from) {
        ReceivedFile last = file;
        if (last == null || from != 0) {
            throw new IllegalStateException(subject + ": nothing is here (expected: one whole part)");
        }
        PartitionedFile segment = last.part(place);
        file = null;
        here = segment;
        FileSegment copy = segment.place(place.part());
        return new Moved(files.source(copy), place.offset() - copy.offset());
    }

    @Override
    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public synchronized void close() {
        closed = true;
        drop();
        PartitionedFile segment = here;
        here = null;
        if (segment != null) {
            segment.delete();
        }
    }

    private void drop() {
        ReceivedFile last = file;
        file = null;
        if (last != null) {
            last.abandon();
        }
    }

    /** The bytes of a file, as if they lay {@code shift} further in it. */
    private record Moved(SegmentSource file, long shift) implements SegmentSource {
        @Override
        public int read(long position, byte[] into, int at, int length) throws IOException {
            return file.read(position - shift, into, at, length);
        }

        @Override
        public void close() {
            file.close();
        }
    }

    /** Notes when a disk of this machine is what fails. */
    private final class Writing implements StreamSink {
        private final FileSink file;

        Writing(FileSink file) {
            this.file = file;
        }

        @Override
        public void opened(StreamInfo info) throws IOException {
            file.opened(info);
        }

        @Override
        public void received(ByteBuffer bytes) {
            try {
                file.received(bytes);
            } catch (RuntimeException unwritable) {
                failure = unwritable;
                throw unwritable;
            }
        }
    }
}
