package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamRange;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;

/**
 * Response that creates a directory listing on a disk thread, because the directory may have many entries. A
 * {@link ContentResponse}, which sends the listing, then replaces this response. Owned by the channel's event loop.
 */
final class ListingResponse implements BulkResponse, DiskOperation.Outcome<StreamContent> {
    private final BulkServerConnection connection;
    private final BulkRequest.Listing request;
    private final DiskOperation<StreamContent> listing;

    ListingResponse(BulkServerConnection connection, BulkRequest.Listing request, ServedStreams served) {
        this.connection = connection;
        this.request = request;
        this.listing = DiskOperation.start(
                connection,
                request.subject(),
                () -> DirectoryListings.content(served.list(request.name()), request.subject()),
                this);
    }

    @Override
    public void done(StreamContent content) {
        try {
            connection.replaced(this, new ContentResponse(connection, request, content, StreamRange.ALL, () -> true));
        } catch (IOException | RuntimeException failure) {
            failed(failure);
        }
    }

    @Override
    public void failed(Exception failure) {
        connection.failed(this, request, "read", failure);
    }

    @Override
    public void unwanted(StreamContent content) {
        // holds memory only
    }

    @Override
    public void proceed() {
        // nothing to send until the listing is created
    }

    @Override
    public boolean wantsChunks() {
        return false;
    }

    @Override
    public void take(List<ByteBuf> parts, int length) {
        throw new IllegalStateException("a chunk for a listing (expected: none)");
    }

    @Override
    public void damaged(int length) {
        throw new IllegalStateException("a chunk for a listing (expected: none)");
    }

    @Override
    public void cancel() {
        listing.cancel();
    }
}
