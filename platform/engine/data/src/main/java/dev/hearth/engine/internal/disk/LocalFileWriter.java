package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.BlockCompressor;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.encryption.FileCipher;
import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import dev.hearth.spi.shuffle.FrameFormat;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the frames and the footer of one file. If a directory fails, {@link FailoverFile} moves the file to another
 * local directory. Owned by one thread; ended by {@link #finish} or {@link #abandon}.
 */
final class LocalFileWriter implements PartitionedFileWriter {
    // the file is written in multiples of this size, to align writes with the pages of file systems
    private static final int PENDING_BYTES = SystemDisk.CALL_BYTES;
    // if compression saves at most 1/16 of a slice, the slice is stored uncompressed
    private static final int SHRUNK_PART = 16;

    private final LocalTemporaryFiles files;
    private final FailoverFile file;
    private final long id;
    private final FrameFormat frames;
    private final CompressionCodec compression;
    private final @Nullable BlockCompressor compressor;
    private final @Nullable FileCipher seal;
    private final long[] offsets;
    private int part = -1;
    private long frame;
    private byte[] pending = new byte[PENDING_BYTES];
    private int position;
    private boolean ended;

    LocalFileWriter(
            LocalTemporaryFiles files,
            FailoverFile file,
            long id,
            CompressionCodec compression,
            Optional<FileEncryptionKey> key,
            int parts) {
        this.files = files;
        this.file = file;
        this.id = id;
        this.frames = new FrameFormat(id);
        this.compression = compression;
        this.compressor = compression == CompressionCodec.NONE ? null : compression.compressor();
        this.seal = key.map(FileCipher::new).orElse(null);
        this.offsets = new long[parts + 1];
    }

    @Override
    public void begin(int next) {
        requireOpen();
        if (next <= part || next >= offsets.length - 1) {
            throw new IllegalArgumentException(file.subject() + ": part " + next + " after part " + part
                    + " (expected: ascending, below " + (offsets.length - 1) + ")");
        }
        Arrays.fill(offsets, part + 1, next + 1, written());
        part = next;
        frame = 0;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        requireOpen();
        if (part < 0) {
            throw new IllegalStateException(
                    file.subject() + ": written to before a part was begun (expected: begin first)");
        }
        if (length == 0) {
            return;
        }
        for (int done = 0, slice = 0; done < length; slice++) {
            int size = Math.min(FrameFormat.SLICE_BYTES, length - done);
            writeSlice(bytes, from + done, size, length, slice);
            done += size; // this sum cannot overflow, because `done` never exceeds `length`
        }
        frame++;
    }

    private void writeSlice(byte[] bytes, int from, int size, int frameLength, int slice) {
        int room = compressor == null ? size : Math.max(size, compressor.bound(size));
        require(FrameFormat.HEADER_BYTES + room + (seal == null ? 0 : FileCipher.ADDED_BYTES));
        int body = position + FrameFormat.HEADER_BYTES + (seal == null ? 0 : FileCipher.LEAD_BYTES);
        int stored = compressor == null ? size : compressor.compress(bytes, from, size, pending, body);
        boolean shrunk = stored < size - size / SHRUNK_PART;
        if (!shrunk) {
            System.arraycopy(bytes, from, pending, body, size);
            stored = size;
        }
        int kind = (shrunk ? compression : CompressionCodec.NONE).number();
        if (seal != null) {
            body -= FileCipher.LEAD_BYTES;
            stored = seal.seal(frames.position(part, frame, slice), pending, body, stored);
            kind |= FrameFormat.SEALED;
        }
        FrameFormat.writeInt(pending, position, frameLength);
        FrameFormat.writeInt(pending, position + FrameFormat.STORED_AT, stored);
        FrameFormat.writeInt(pending, position + FrameFormat.COMPRESSION_AT, kind);
        FrameFormat.writeInt(
                pending,
                position + FrameFormat.CHECKSUM_AT,
                frames.checksum(part, frame, slice, pending, position, stored));
        position = body + stored;
        flush(position - position % PENDING_BYTES);
    }

    private void require(int bytes) {
        if (pending.length - position >= bytes) {
            return;
        }
        flush(position - position % PENDING_BYTES);
        if (pending.length - position < bytes) {
            pending = Arrays.copyOf(pending, position + bytes);
        }
    }

    private void flush(int length) {
        if (length == 0) {
            return;
        }
        boolean done = false;
        try {
            file.write(pending, length);
            System.arraycopy(pending, length, pending, 0, position - length);
            position -= length;
            done = true;
        } finally {
            ended |= !done; // the writer has ended, because a failed write deletes the file
        }
    }

    @Override
    public long written() {
        return file.written() + position;
    }

    @Override
    public PartitionedFile finish() {
        requireOpen();
        Arrays.fill(offsets, part + 1, offsets.length, written());
        writeFooter();
        flush(position);
        ended = true;
        return files.finished(file, id, new SegmentIndex(offsets));
    }

    private void writeFooter() {
        CRC32C checksum = new CRC32C();
        for (long offset : offsets) {
            require(Long.BYTES);
            FrameFormat.writeLong(pending, position, offset);
            checksum.update(pending, position, Long.BYTES);
            position += Long.BYTES;
        }
        require(FrameFormat.TRAILER_BYTES);
        int at = position;
        FrameFormat.writeInt(pending, at, offsets.length - 1);
        FrameFormat.writeLong(pending, at + Integer.BYTES, id);
        FrameFormat.writeLong(pending, at + Integer.BYTES + Long.BYTES, FrameFormat.MAGIC);
        int last = at + FrameFormat.TRAILER_BYTES - Integer.BYTES;
        checksum.update(pending, at, last - at);
        FrameFormat.writeInt(pending, last, (int) checksum.getValue());
        position = last + Integer.BYTES;
    }

    @Override
    public void abandon() {
        if (!ended) {
            ended = true;
            file.abandon();
        }
    }

    private void requireOpen() {
        if (ended) {
            throw new IllegalStateException(
                    file.subject() + ": its file is ended (expected: one that is being written)");
        }
    }
}
