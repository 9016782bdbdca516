package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.StreamContent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Parts of files one behind the other: a chunk within one part is that part's own, one that goes over several is copied together.
 * One file is open at a time, beside those of which the system has something left to send. Owned by an event loop.
 */
final class FilePartsSource extends ContentSource {
    private final List<StreamContent.FilePart> parts;
    private final PieceChecksumCache checksums;
    private int at; // the part that was sent of last
    private long begin; // of it, in the whole
    private @Nullable ContentSource open; // that part, once something of it was sent

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

    /** Goes to the part that a byte is in. */
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
