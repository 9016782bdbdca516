package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CorruptCompressedBlockException;
import dev.hearth.engine.internal.encryption.FileCipher;
import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.FrameFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of one segment with read-ahead. A frame consists of slices, and the checksum of each slice is
 * verified before its bytes are used. Only the lengths in a slice's header are used earlier, after a check that the
 * slice fits into the rest of the segment. Owned by one thread.
 */
final class LocalSegmentInput implements SegmentInput {
    /**
     * Number of bytes that one read of the file requests. It requests fewer at the end of the segment, and more for a
     * larger slice.
     */
    private static final int READ_BYTES = 128 * 1024;

    private static final byte[] NOTHING = {};

    private final SegmentSource file;
    private final DecompressorPool decompressors;
    private final Path path;
    private final FrameFormat frames;
    private final @Nullable FileCipher seal;
    private final int part;
    private final long until;
    private long position; // offset in the file of the first byte after those in the buffer
    private byte[] buffer = NOTHING;
    private int from;
    private int limit;
    private long frame;
    private byte[] whole = NOTHING;
    // Fields of the header that was read last; the slice begins at index `from` of the buffer:
    private int frameLength;
    private int stored;
    private CompressionCodec compression = CompressionCodec.NONE;
    // decrypted bytes of the slice
    private byte[] opened = NOTHING;
    // Location of the plain (decrypted) bytes of the slice, in `buffer` or `opened`:
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
        if (length <= FrameFormat.SLICE_BYTES && compression == CompressionCodec.NONE) {
            in.on(body, bodyAt, bodyAt + length);
            from += FrameFormat.HEADER_BYTES + stored;
        } else {
            if (whole.length < length) {
                whole = NOTHING; // release the old array first, so that both arrays are never in memory together
                whole = new byte[length];
            }
            int done = expand(0, length);
            for (int slice = 1; done < length; slice++) {
                read(slice);
                if (frameLength != length) {
                    throw damaged("lengths contradict each other (expected: the same in every slice)");
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

    /**
     * Reads and verifies the slice at index {@code from} of the buffer. If the slice is corrupt, and the source can
     * supply another copy of these bytes, reads it again from that copy.
     */
    private void read(int slice) throws CorruptFileException {
        long begin = position - limit + from;
        try {
            readOnce(slice);
        } catch (CorruptFileException damage) {
            if (!renewed(begin, damage)) {
                throw damage;
            }
            position = begin;
            from = 0;
            limit = 0;
            readOnce(slice);
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

    private void readOnce(int slice) throws CorruptFileException {
        fill(FrameFormat.HEADER_BYTES);
        frameLength = FrameFormat.readInt(buffer, from);
        stored = FrameFormat.readInt(buffer, from + FrameFormat.STORED_AT);
        long raw = Math.min(FrameFormat.SLICE_BYTES, frameLength - (long) slice * FrameFormat.SLICE_BYTES);
        int added = seal == null ? 0 : FileCipher.ADDED_BYTES;
        if (raw <= 0 || stored <= added || stored - added > raw || stored > left() - FrameFormat.HEADER_BYTES) {
            throw damaged("impossible sizes (expected: the sizes that were written)");
        }
        fill(FrameFormat.HEADER_BYTES + stored);
        int checksum = frames.checksum(part, frame, slice, buffer, from, stored);
        int expected = FrameFormat.readInt(buffer, from + FrameFormat.CHECKSUM_AT);
        if (checksum != expected) {
            throw damaged(String.format("checksum %08x does not match (expected: %08x)", checksum, expected));
        }
        int kind = FrameFormat.readInt(buffer, from + FrameFormat.COMPRESSION_AT);
        unseal(slice, kind);
        Optional<CompressionCodec> known = CompressionCodec.numbered(kind & ~FrameFormat.SEALED);
        if (known.isEmpty() || (known.get() == CompressionCodec.NONE && bodyLength != raw)) {
            throw damaged("unknown compression (expected: one of " + Arrays.toString(CompressionCodec.values()) + ")");
        }
        compression = known.get();
    }

    /**
     * Decrypts the slice (the part of a frame) that was read last, if the file is encrypted. A plain slice in an
     * encrypted file, or an encrypted one in a plain file, counts as corrupt.
     */
    private void unseal(int slice, int kind) throws CorruptFileException {
        boolean isSealed = (kind & FrameFormat.SEALED) != 0;
        if (isSealed != (seal != null)) {
            throw damaged((isSealed ? "encrypted" : "not encrypted") + " (expected: the same as the other files of"
                    + " this application)");
        }
        if (seal == null) {
            body = buffer;
            bodyAt = from + FrameFormat.HEADER_BYTES;
            bodyLength = stored;
            return;
        }
        bodyLength = stored - FileCipher.ADDED_BYTES;
        if (opened.length < bodyLength) {
            // allocate some more, because the next slice is likely to be about as large
            opened = new byte[bodyLength + bodyLength / 8];
        }
        try {
            seal.open(frames.position(part, frame, slice), buffer, from + FrameFormat.HEADER_BYTES, stored, opened);
        } catch (GeneralSecurityException changed) {
            throw new CorruptFileException(
                    location() + ": cannot be decrypted (expected: the bytes that were written); the file was"
                            + " tampered with",
                    changed);
        }
        body = opened;
        bodyAt = 0;
    }

    /**
     * Decompresses the slice that was read last into {@code whole}, the buffer of the frame, from index {@code at} on.
     * {@code length} is the length of the whole frame. Then moves on to the next slice. Returns the decompressed length
     * of the slice.
     */
    private int expand(int at, int length) throws CorruptFileException {
        int size = Math.min(FrameFormat.SLICE_BYTES, length - at);
        if (compression == CompressionCodec.NONE) {
            System.arraycopy(body, bodyAt, whole, at, size);
        } else {
            try {
                decompressors.decompress(compression, body, bodyAt, bodyLength, whole, at, size);
            } catch (CorruptCompressedBlockException damage) {
                throw new CorruptFileException(
                        location() + ": " + damage.getMessage() + "; the disk or the file system changed it", damage);
            }
        }
        from += FrameFormat.HEADER_BYTES + stored;
        return size;
    }

    /** Reads from the file until the buffer has at least {@code wanted} bytes from its index {@code from} on. */
    private void fill(int wanted) throws CorruptFileException {
        if (limit - from >= wanted) {
            return;
        }
        if (wanted > left()) {
            throw damaged("cut off by the end of its segment (expected: " + (wanted - left()) + " bytes more)");
        }
        byte[] target = buffer;
        if (buffer.length < wanted) {
            // allocate some more, because the next slice is likely to be about as large
            int slack = wanted + wanted / 8;
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
                            ? location() + ": cannot be read: " + LocalDirectories.reason(failure) + " (expected: "
                                    + length + " bytes); the disk or the file system failed"
                            : path + ": is missing (expected: a file that exists until Hearth deletes it); another"
                                    + " process removed the file while the application runs",
                    failure);
        }
        if (count < 0) {
            throw new CorruptFileException(location() + ": cut short (expected: " + (until - position)
                    + " bytes more in the segment); the disk or the file system lost the rest");
        }
        return count;
    }

    private CorruptFileException damaged(String found) {
        return new CorruptFileException(location() + ": " + found + "; the disk or the file system changed it");
    }

    private String location() {
        return path + ": frame " + frame + " of part " + part + " at offset " + (position - limit + from);
    }

    @Override
    public void close() {
        file.close();
    }
}
