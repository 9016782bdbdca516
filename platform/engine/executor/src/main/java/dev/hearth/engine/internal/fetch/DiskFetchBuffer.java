package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fetch buffer for one segment, in a local file that {@link #close} deletes. Guarded by its own lock, because bytes may
 * still arrive after the reader has ended.
 */
final class DiskFetchBuffer implements FetchBuffer {
    private final TemporaryFiles files;
    private final FileSegment place;
    private final String subject;
    private @Nullable ReceivedFile file; // file of the most recent fetch attempt
    private @Nullable PartitionedFile received; // complete file, set when the reader takes it
    private boolean closed;
    private volatile @Nullable RuntimeException failure;

    DiskFetchBuffer(TemporaryFiles files, FileSegment place, String subject) {
        this.files = files;
        this.place = place;
        this.subject = subject;
    }

    @Override
    public synchronized StreamSink sink() {
        if (closed) { // the reader closed the buffer while a retry was about to start
            throw ErrorCode.TRANSFER_ABORTED.failure(subject + ": cancelled, its reader has ended");
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
            throw new IllegalStateException(subject + ": nothing was received (expected: one whole segment)");
        }
        PartitionedFile segment = last.part(place);
        file = null;
        received = segment;
        FileSegment copy = segment.segment(place.part());
        return new Shifted(files.source(copy), place.offset() - copy.offset());
    }

    @Override
    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public synchronized void close() {
        closed = true;
        drop();
        PartitionedFile segment = received;
        received = null;
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

    /**
     * View of a file in which every position is greater by {@code shift} than in the file itself. Callers can so use
     * the positions of the original file.
     */
    private record Shifted(SegmentSource file, long shift) implements SegmentSource {
        @Override
        public int read(long position, byte[] into, int at, int length) throws IOException {
            return file.read(position - shift, into, at, length);
        }

        @Override
        public void close() {
            file.close();
        }
    }

    /**
     * Sink that writes the received bytes to the buffer's file. Records a failed write as the failure of this buffer,
     * as it is not a failure of the transfer.
     */
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
