package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Encodes and decodes directory listings, which are transferred like the bytes of a file. Stateless. */
final class DirectoryListings {
    private DirectoryListings() {}

    static StreamContent content(List<StreamEntry> entries, String subject) {
        byte[] encoded = BulkWireFormat.entries(entries);
        if (encoded.length > BulkLimits.LISTING_BYTES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure(subject + ": a listing of " + encoded.length
                    + " bytes (expected: at most " + BulkLimits.LISTING_BYTES_MAX + "); fetch its files by name");
        }
        return new StreamContent.InMemory(Bytes.owning(encoded), "");
    }

    /** Sink that collects the bytes of a listing as they arrive. */
    static final class Collector implements StreamSink {
        private ByteBuffer bytes = ByteBuffer.allocate(0);

        @Override
        public void opened(StreamInfo info) {
            if (info.length() > BulkLimits.LISTING_BYTES_MAX) {
                throw ErrorCode.MALFORMED_MESSAGE.failure("listing of " + info.length() + " bytes (expected: at most "
                        + BulkLimits.LISTING_BYTES_MAX + ")");
            }
            bytes = ByteBuffer.allocate((int) info.length());
        }

        @Override
        public void received(ByteBuffer part) throws IOException {
            bytes.put(part);
        }

        List<StreamEntry> entries() {
            try {
                return BulkWireFormat.parse(BulkFrameKind.LIST, bytes.flip(), BulkWireFormat::entries);
            } catch (MalformedFrame malformed) {
                throw ErrorCode.MALFORMED_MESSAGE.failure(
                        "listing: " + malformed.getMessage() + "; install the same release on both sides", malformed);
            }
        }
    }
}
