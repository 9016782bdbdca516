package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.StreamContent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * File or stream opened for sending in chunks. After it is closed, its file stays open until the last chunk has been
 * sent. Owned by an event loop.
 */
abstract class ContentSource implements AutoCloseable {
    static ContentSource open(StreamContent content, PieceChecksumCache checksums) throws IOException {
        if (content instanceof StreamContent.FilePart part) {
            return new OfFile(part, checksums);
        }
        if (content instanceof StreamContent.FileParts parts) {
            return new FilePartsSource(parts, checksums);
        }
        if (content instanceof StreamContent.InMemory memory) {
            return new OfBytes(memory.bytes());
        }
        throw new IllegalArgumentException("content of " + content.getClass() + " (expected: a file or bytes)");
    }

    /**
     * Returns {@code length} bytes of the content from {@code offset} on as a chunk. With {@code zeroCopy}, a large
     * chunk of a file is a file region, which the operating system sends without copying.
     */
    abstract Chunk chunk(ByteBufAllocator allocator, long offset, int length, boolean zeroCopy) throws IOException;

    /**
     * Appends {@code length} bytes of the content from {@code offset} on to {@code into}, which must have space for
     * them.
     */
    abstract void copy(long offset, int length, ByteBuf into) throws IOException;

    @Override
    public abstract void close();

    /**
     * Chunk of content: {@code message} is what Netty writes to the channel, and {@code checksum} is the CRC32C of its
     * bytes.
     */
    record Chunk(Object message, int checksum) {}

    private static final class OfBytes extends ContentSource {
        private final Bytes bytes;

        OfBytes(Bytes bytes) {
            this.bytes = bytes;
        }

        @Override
        Chunk chunk(ByteBufAllocator allocator, long offset, int length, boolean zeroCopy) {
            Chunk[] made = new Chunk[1];
            int from = Math.toIntExact(offset);
            bytes.read(array -> {
                CRC32C crc = new CRC32C();
                crc.update(array, from, length);
                made[0] = new Chunk(Unpooled.wrappedBuffer(array, from, length), (int) crc.getValue());
            });
            return made[0];
        }

        @Override
        void copy(long offset, int length, ByteBuf into) {
            int from = Math.toIntExact(offset);
            bytes.read(array -> into.writeBytes(array, from, length));
        }

        @Override
        public void close() {
            // holds no resources
        }
    }

    private static final class OfFile extends ContentSource {
        private static final FastThreadLocal<ByteBuffer> READ = new FastThreadLocal<>() {
            @Override
            protected ByteBuffer initialValue() {
                return ByteBuffer.allocateDirect(BulkLimits.PIECE_BYTES);
            }
        };

        private final FileChannel file;
        private final long begin;
        private final PieceChecksumCache checksums;
        private final PieceChecksumCache.FileState state;
        // number of users of the file: this object, and each chunk that is being sent
        private final AtomicInteger users = new AtomicInteger(1);

        OfFile(StreamContent.FilePart part, PieceChecksumCache checksums) throws IOException {
            this.state = checksums.stateOf(part.file());
            this.file = FileChannel.open(part.file(), StandardOpenOption.READ);
            this.begin = part.offset();
            this.checksums = checksums;
        }

        @Override
        Chunk chunk(ByteBufAllocator allocator, long offset, int length, boolean zeroCopy) throws IOException {
            long position = begin + offset;
            if (!zeroCopy || length < BulkLimits.ZERO_COPY_BYTES_MIN) {
                return copied(allocator, position, length);
            }
            int checksum = checksums.checksum(state, file, position, length, READ.get());
            users.incrementAndGet();
            return new Chunk(new Region(this, position, length), checksum);
        }

        private Chunk copied(ByteBufAllocator allocator, long position, int length) throws IOException {
            ByteBuf copy = allocator.directBuffer(length);
            try {
                copy(position - begin, length, copy);
                CRC32C crc = new CRC32C();
                crc.update(copy.nioBuffer());
                return new Chunk(copy.retain(), (int) crc.getValue());
            } finally {
                copy.release();
            }
        }

        @Override
        void copy(long offset, int length, ByteBuf into) throws IOException {
            int end = into.writerIndex();
            FileAccess.fully(file, begin + offset, into.nioBuffer(end, length));
            into.writerIndex(end + length);
        }

        @Override
        public void close() {
            releaseUser();
        }

        private void releaseUser() {
            if (users.decrementAndGet() == 0) {
                try {
                    file.close();
                } catch (IOException failure) {
                    throw new IllegalStateException("a file that was only read cannot be closed", failure);
                }
            }
        }
    }

    /** Range of a file that Netty sends. It keeps the file open until the range has been sent. */
    private static final class Region extends DefaultFileRegion {
        private final OfFile content;

        Region(OfFile content, long position, long length) {
            super(content.file, position, length);
            this.content = content;
        }

        @Override
        protected void deallocate() {
            content.releaseUser();
        }
    }
}
