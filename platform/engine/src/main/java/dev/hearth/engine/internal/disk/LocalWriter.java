package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.BlockCompressor;
import dev.hearth.engine.internal.compress.Compression;
import dev.hearth.engine.internal.seal.FileKey;
import dev.hearth.engine.internal.seal.Seal;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Makes frames and the index of one file; its {@link MovingFile} cares for disks. Owned by one thread; ends as its contract says. */
final class LocalWriter implements SegmentWriter {
    private static final int PENDING_BYTES =
            SystemDisk.CALL_BYTES; // written in multiples of it, which file systems like best
    private static final int SHRUNK_PART = 16; // of a chunk: what compression must save, or it is stored

    private final LocalSegmentFiles files;
    private final MovingFile file;
    private final long id;
    private final Frames frames;
    private final Compression compression;
    private final @Nullable BlockCompressor compressor;
    private final @Nullable Seal seal;
    private final long[] offsets;
    private int part = -1;
    private long frame;
    private byte[] pending = new byte[PENDING_BYTES];
    private int position;
    private boolean ended;

    LocalWriter(
            LocalSegmentFiles files,
            MovingFile file,
            long id,
            Compression compression,
            Optional<FileKey> key,
            int parts) {
        this.files = files;
        this.file = file;
        this.id = id;
        this.frames = new Frames(id);
        this.compression = compression;
        this.compressor = compression == Compression.NONE ? null : compression.compressor();
        this.seal = key.map(Seal::new).orElse(null);
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
        for (int done = 0, chunk = 0; done < length; chunk++) {
            int size = Math.min(Frames.CHUNK_BYTES, length - done);
            writeChunk(bytes, from + done, size, length, chunk);
            done += size; // ends at length, however large that is: no more than that is added
        }
        frame++;
    }

    private void writeChunk(byte[] bytes, int from, int size, int frameLength, int chunk) {
        int room = compressor == null ? size : Math.max(size, compressor.bound(size));
        require(Frames.HEADER_BYTES + room + (seal == null ? 0 : Seal.ADDED_BYTES));
        int body = position + Frames.HEADER_BYTES + (seal == null ? 0 : Seal.LEAD_BYTES);
        int stored = compressor == null ? size : compressor.compress(bytes, from, size, pending, body);
        boolean shrunk = stored < size - size / SHRUNK_PART;
        if (!shrunk) {
            System.arraycopy(bytes, from, pending, body, size);
            stored = size;
        }
        int kind = (shrunk ? compression : Compression.NONE).number();
        if (seal != null) {
            body -= Seal.LEAD_BYTES;
            stored = seal.seal(frames.place(part, frame, chunk), pending, body, stored);
            kind |= Frames.SEALED;
        }
        Frames.writeInt(pending, position, frameLength);
        Frames.writeInt(pending, position + Frames.STORED_AT, stored);
        Frames.writeInt(pending, position + Frames.COMPRESSION_AT, kind);
        Frames.writeInt(
                pending, position + Frames.CHECKSUM_AT, frames.checksum(part, frame, chunk, pending, position, stored));
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
            ended |= !done; // the file is gone with the failure
        }
    }

    @Override
    public long written() {
        return file.written() + position;
    }

    @Override
    public Segment finish() {
        requireOpen();
        Arrays.fill(offsets, part + 1, offsets.length, written());
        writeFooter();
        flush(position);
        ended = true;
        return files.finished(file, id, new PartIndex(offsets));
    }

    private void writeFooter() {
        CRC32C checksum = new CRC32C();
        for (long offset : offsets) {
            require(Long.BYTES);
            Frames.writeLong(pending, position, offset);
            checksum.update(pending, position, Long.BYTES);
            position += Long.BYTES;
        }
        require(Frames.TRAILER_BYTES);
        int at = position;
        Frames.writeInt(pending, at, offsets.length - 1);
        Frames.writeLong(pending, at + Integer.BYTES, id);
        Frames.writeLong(pending, at + Integer.BYTES + Long.BYTES, Frames.MAGIC);
        int last = at + Frames.TRAILER_BYTES - Integer.BYTES;
        checksum.update(pending, at, last - at);
        Frames.writeInt(pending, last, (int) checksum.getValue());
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
