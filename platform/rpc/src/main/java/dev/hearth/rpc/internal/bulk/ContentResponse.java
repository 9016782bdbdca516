package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;

/** Response that sends a range of a file or stream. Owned by the channel's event loop. */
final class ContentResponse implements BulkResponse {
    private final BulkServerConnection connection;
    private final BulkRequest request;
    private final Recheck recheck;
    private final ChunkSender sender;

    /**
     * Opens the requested {@code range} of {@code content} and writes the head of the response. Throws if the version
     * tag has changed or the range begins beyond the end.
     */
    ContentResponse(
            BulkServerConnection connection,
            BulkRequest request,
            StreamContent content,
            StreamRange range,
            Recheck recheck)
            throws IOException {
        this.connection = connection;
        this.request = request;
        this.recheck = recheck;
        if (range.tag().isPresent() && !range.tag().get().equals(content.tag())) {
            throw ErrorCode.STREAM_CHANGED.failure(request.subject() + ": the tag of its content is now"
                    + " " + content.tag() + " (expected: "
                    + StreamNames.shown(range.tag().get()) + "); fetch it from its beginning");
        }
        if (range.offset() > content.size()) {
            throw ErrorCode.BAD_ARGUMENT.failure(request.subject() + ": requested from byte " + range.offset()
                    + " (expected: at most its size, " + content.size() + ")");
        }
        long length = Math.min(range.length().orElse(Long.MAX_VALUE), content.size() - range.offset());
        this.sender = new ChunkSender(
                connection.window(),
                ContentSource.open(content, connection.services().checksums()),
                range.offset(),
                range.offset() + length,
                new Outcome());
        StreamInfo head = new StreamInfo(content.size(), content.tag(), range.offset(), length);
        connection.window().write(BulkFrameKind.ANSWER, BulkWireFormat.answer(head));
    }

    @Override
    public void proceed() {
        sender.send();
    }

    @Override
    public boolean wantsChunks() {
        return false;
    }

    @Override
    public void take(List<ByteBuf> parts, int length) {
        throw new IllegalStateException("a chunk for an answer that sends (expected: none)");
    }

    @Override
    public void damaged(int length) {
        throw new IllegalStateException("a chunk for an answer that sends (expected: none)");
    }

    @Override
    public void cancel() {
        sender.cancel();
    }

    /** Check, made after the content was sent, that it still has the version tag it had when the response began. */
    interface Recheck {
        boolean unchanged() throws IOException;
    }

    private final class Outcome implements ChunkSender.Outcome {
        @Override
        public void sent() {
            try {
                if (recheck.unchanged()) {
                    connection.ended(ContentResponse.this);
                } else {
                    failed(new IOException("the content changed"));
                }
            } catch (IOException | RuntimeException failure) {
                // the stream provider threw it; the requester still needs a response
                failed(failure);
            }
        }

        @Override
        public void failed(Exception failure) {
            connection.failed(
                    ContentResponse.this,
                    request,
                    "read",
                    failure instanceof IOException unreadable
                            ? ErrorCode.STREAM_CHANGED.failure(
                                    request.subject() + ": cannot be read any more, " + DiskErrorMessages.of(unreadable)
                                            + " (expected: content that does not change); fetch it from its beginning",
                                    failure)
                            : failure);
        }
    }
}
