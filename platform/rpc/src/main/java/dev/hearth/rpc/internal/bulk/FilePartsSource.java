package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.StreamContent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of several files, sent as one stream. A chunk within one range is sent directly from its file; a chunk across
 * several ranges is copied. At most one file is open at a time, besides files whose chunks are still being sent. Owned
 * by an event loop.
 */
final class FilePartsSource extends ContentSource {
    private final List<StreamContent.FilePart> parts;
    private final PieceChecksumCache checksums;
    private int at; // index of the current part
    private long begin; // offset of the current part in the whole stream
    private @Nullable ContentSource open; // the current part, lazily opened

    FilePartsSource(StreamContent.FileParts content, PieceChecksumCache checksums) {
        this.parts = content.parts();
        this.checksums = checksums;
    }

    @Override
    Chunk chunk(ByteBufAllocator allocator, long offset, int length, boolean zeroCopy) throws IOException {
        find(offset);
        if (offset + length <= begin + parts.get(at).size()) {
            return opened().chunk(allocator, offset - begin, length, zeroCopy);
        }
        ByteBuf whole = allocator.directBuffer(length);
        try {
            for (long position = offset; position < offset + length; ) {
                find(position);
                int some =
                        (int) (Math.min(offset + length, begin + parts.get(at).size()) - position);
                opened().copy(position - begin, some, whole);
                position += some;
            }
            CRC32C crc = new CRC32C();
            crc.update(whole.nioBuffer());
            return new Chunk(whole.retain(), (int) crc.getValue());
        } finally {
            whole.release();
        }
    }

    @Override
    void copy(long offset, int length, ByteBuf into) {
        throw new IllegalStateException("parts of files within parts of files (expected: files)");
    }

    /**
     * Selects the file range that contains the byte at {@code offset} of the whole stream, and closes the file selected
     * before if it is another one.
     */
    private void find(long offset) {
        while (offset >= begin + parts.get(at).size()) {
            close();
            begin += parts.get(at).size();
            at++;
        }
        while (offset < begin) {
            close();
            at--;
            begin -= parts.get(at).size();
        }
    }

    private ContentSource opened() throws IOException {
        ContentSource known = open;
        if (known == null) {
            known = ContentSource.open(parts.get(at), checksums);
            open = known;
        }
        return known;
    }

    @Override
    public void close() {
        ContentSource known = open;
        open = null;
        if (known != null) {
            known.close();
        }
    }
}
