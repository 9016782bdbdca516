package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CorruptCompressedBlockException;
import dev.hearth.engine.internal.encryption.FileCipher;
import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the frames of one part, reading ahead. A chunk is checked before anything in it is believed, its length excepted,
 * which is held against what is left of the part. Owned by one thread.
 */
final class LocalSegmentInput implements SegmentInput {
    /** Read at once, unless less is left or a chunk is larger. */
    private static final int READ_BYTES = 128 * 1024;

    private static final byte[] NOTHING = {};

    private final SegmentSource file;
    private final DecompressorPool decompressors;
    private final Path path;
    private final FrameFormat frames;
    private final @Nullable FileCipher seal;
    private final int part;
    private final long until;
    private long position; // in the file, of the next byte that is not in the buffer
    private byte[] buffer = NOTHING;
    private int from;
    private int limit;
    private long frame;
    private byte[] whole = NOTHING;
    // The chunk read last, which lies at `from`:
    private int frameLength;
    private int stored;
    private CompressionCodec compression = CompressionCodec.NONE;
    private byte[] opened = NOTHING; // what was sealed in it
    // What it holds, in clear, in the buffer or in what was opened:
    private byte[] body = NOTHING;
    private int bodyAt;
    private int bodyLength;

    LocalSegmentInput(
            SegmentSource file, DecompressorPool decompressors, Optional<FileEncryptionKey> key, FileSegment part) {
        this.file = file;
        this.decompressors = decompressors;
        this.path = Path.of(part.file());
        this.frames = new FrameFormat(part.id());
        this.seal = key.map(FileCipher::new).orElse(null);
        this.part = part.part();
        this.position = part.offset();
        this.until = part.offset() + part.bytes();
    }

    @Override
    public boolean next(RecordInput in) throws CorruptFileException {
        if (left() == 0) {
            return false;
        }
        read(0);
        int length = frameLength;
        if (length <= FrameFormat.CHUNK_BYTES && compression == CompressionCodec.NONE) {
            in.on(body, bodyAt, bodyAt + length);
            from += FrameFormat.HEADER_BYTES + stored;
        } else {
            if (whole.length < length) {
                whole = NOTHING; // not both at once
                whole = new byte[length];
            }
            int done = expand(0, length);
            for (int chunk = 1; done < length; chunk++) {
                read(chunk);
                if (frameLength != length) {
                    throw damaged("lengths contradict each other (expected: the same in every chunk)");
                }
                done += expand(done, length);
            }
            in.on(whole, 0, length);
        }
        frame++;
        return true;
    }

    private long left() {
        return until - position + limit - from;
    }

    /** Has a checked chunk of the frame lie at {@code from}; what is damaged is got once more where that can help. */
    private void read(int chunk) throws CorruptFileException {
        long begin = position - limit + from;
        try {
            readOnce(chunk);
        } catch (CorruptFileException damage) {
            if (!renewed(begin, damage)) {
                throw damage;
            }
            position = begin;
            from = 0;
            limit = 0;
            readOnce(chunk);
        }
    }

    private boolean renewed(long begin, CorruptFileException damage) {
        try {
            return file.renew(begin);
        } catch (IOException failure) {
            damage.addSuppressed(failure);
            return false;
        }
    }

    private void readOnce(int chunk) throws CorruptFileException {
        fill(FrameFormat.HEADER_BYTES);
        frameLength = FrameFormat.readInt(buffer, from);
        stored = FrameFormat.readInt(buffer, from + FrameFormat.STORED_AT);
        long raw = Math.min(FrameFormat.CHUNK_BYTES, frameLength - (long) chunk * FrameFormat.CHUNK_BYTES);
        int added = seal == null ? 0 : FileCipher.ADDED_BYTES;
        if (raw <= 0 || stored <= added || stored - added > raw || stored > left() - FrameFormat.HEADER_BYTES) {
            throw damaged("sizes that cannot be (expected: those that were written)");
        }
        fill(FrameFormat.HEADER_BYTES + stored);
        int checksum = frames.checksum(part, frame, chunk, buffer, from, stored);
        int expected = FrameFormat.readInt(buffer, from + FrameFormat.CHECKSUM_AT);
        if (checksum != expected) {
            throw damaged(String.format("checksum %08x does not match (expected: %08x)", checksum, expected));
        }
        int kind = FrameFormat.readInt(buffer, from + FrameFormat.COMPRESSION_AT);
        unseal(chunk, kind);
        Optional<CompressionCodec> known = CompressionCodec.numbered(kind & ~FrameFormat.SEALED);
        if (known.isEmpty() || (known.get() == CompressionCodec.NONE && bodyLength != raw)) {
            throw damaged("compressed in a way that is not known (expected: one of "
                    + Arrays.toString(CompressionCodec.values()) + ")");
        }
        compression = known.get();
    }

    /** Has what the chunk holds lie in clear; one that is in clear where all are sealed is none of ours. */
    private void unseal(int chunk, int kind) throws CorruptFileException {
        boolean isSealed = (kind & FrameFormat.SEALED) != 0;
        if (isSealed != (seal != null)) {
            throw damaged((isSealed ? "encrypted" : "not encrypted") + " (expected: as the files of this application)");
        }
        if (seal == null) {
            body = buffer;
            bodyAt = from + FrameFormat.HEADER_BYTES;
            bodyLength = stored;
            return;
        }
        bodyLength = stored - FileCipher.ADDED_BYTES;
        if (opened.length < bodyLength) {
            opened = new byte[bodyLength + bodyLength / 8]; // the next chunk is about as large
        }
        try {
            seal.open(frames.place(part, frame, chunk), buffer, from + FrameFormat.HEADER_BYTES, stored, opened);
        } catch (GeneralSecurityException changed) {
            throw new CorruptFileException(
                    place() + ": is not what was encrypted there (expected: as it was written); somebody changed it",
                    changed);
        }
        body = opened;
        bodyAt = 0;
    }

    /** Adds the chunk that was read to the whole frame, and goes on behind it; returns its bytes. */
    private int expand(int at, int length) throws CorruptFileException {
        int size = Math.min(FrameFormat.CHUNK_BYTES, length - at);
        if (compression == CompressionCodec.NONE) {
            System.arraycopy(body, bodyAt, whole, at, size);
        } else {
            try {
                decompressors.decompress(compression, body, bodyAt, bodyLength, whole, at, size);
            } catch (CorruptCompressedBlockException damage) {
                throw new CorruptFileException(
                        place() + ": " + damage.getMessage() + "; the disk or the file system changed it", damage);
            }
        }
        from += FrameFormat.HEADER_BYTES + stored;
        return size;
    }

    /** Has so many bytes lie at {@code from}, at most what is left. */
    private void fill(int wanted) throws CorruptFileException {
        if (limit - from >= wanted) {
            return;
        }
        if (wanted > left()) {
            throw damaged("cut off by the end of its part (expected: " + (wanted - left()) + " bytes more)");
        }
        byte[] target = buffer;
        if (buffer.length < wanted) {
            int slack = wanted + wanted / 8; // the next chunk is about as large
            target = new byte[(int) Math.min(left(), Math.max(READ_BYTES, slack))];
        }
        System.arraycopy(buffer, from, target, 0, limit - from);
        buffer = target;
        limit -= from;
        from = 0;
        while (limit < wanted) {
            int count = readSome((int) Math.min(buffer.length - limit, until - position));
            limit += count;
            position += count;
        }
    }

    private int readSome(int length) throws CorruptFileException {
        int count;
        try {
            count = file.read(position, buffer, limit, length);
        } catch (IOException failure) {
            throw new CorruptFileException(
                    Files.exists(path)
                            ? place() + ": cannot be read: " + LocalDirectories.reason(failure) + " (expected: "
                                    + length + " bytes); the disk or the file system failed"
                            : path + ": gone (expected: a file until it is dropped); somebody removed it while the"
                                    + " application runs",
                    failure);
        }
        if (count < 0) {
            throw new CorruptFileException(place() + ": cut short (expected: " + (until - position)
                    + " bytes more in the part); the disk or the file system lost the rest");
        }
        return count;
    }

    private CorruptFileException damaged(String found) {
        return new CorruptFileException(place() + ": " + found + "; the disk or the file system changed it");
    }

    private String place() {
        return path + ": frame " + frame + " of part " + part + " at offset " + (position - limit + from);
    }

    @Override
    public void close() {
        file.close();
    }
}
