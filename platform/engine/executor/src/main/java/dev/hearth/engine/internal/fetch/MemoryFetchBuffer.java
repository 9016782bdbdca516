package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Fetch buffer in one array. The caller has reserved the memory for the array. */
final class MemoryFetchBuffer implements FetchBuffer {
    private final byte[] bytes;

    MemoryFetchBuffer(int length) {
        this.bytes = new byte[length];
    }

    @Override
    public StreamSink sink() {
        return new Filling(bytes);
    }

    @Override
    public SegmentSource source(FileSegment place, long from) {
        return new Slice(bytes, from - place.offset(), Math.toIntExact(from + place.bytes()));
    }

    @Override
    public Optional<RuntimeException> failure() {
        return Optional.empty();
    }

    @Override
    public void close() {} // does nothing: the array is garbage-collected after its sources

    private static final class Filling implements StreamSink {
        private final byte[] into;
        private int filled;

        Filling(byte[] into) {
            this.into = into;
        }

        @Override
        public void opened(StreamInfo info) throws IOException {
            if (info.length() != into.length) {
                throw new IOException(info.length() + " bytes (expected: " + into.length + ")");
            }
        }

        @Override
        public void received(ByteBuffer bytes) {
            int count = bytes.remaining();
            bytes.get(into, filled, count);
            filled += count;
        }
    }

    /**
     * Segment that ends before the index {@code end} of the array. Callers name a byte by its position in the original
     * file; this position plus {@code shift} is the index in the array.
     */
    @SuppressWarnings("ArrayRecordComponent") // the array does not change while views of it exist
    private record Slice(byte[] bytes, long shift, int end) implements SegmentSource {
        @Override
        public int read(long position, byte[] into, int at, int length) {
            int from = Math.toIntExact(position + shift);
            int count = Math.min(length, end - from);
            if (count <= 0) {
                return -1;
            }
            System.arraycopy(bytes, from, into, at, count);
            return count;
        }

        @Override
        public void close() {}
    }
}
