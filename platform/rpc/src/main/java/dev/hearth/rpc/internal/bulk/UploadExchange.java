package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Exchange of one attempt at an upload. Offers the file by its hash, sends the bytes that the remote process does not
 * have, and awaits the confirmation.
 */
final class UploadExchange extends BulkExchange {
    private final StreamContent.FilePart content;
    private final PieceChecksumCache checksums;
    private final LongConsumer progress;
    private final CompletableFuture<StreamInfo> done = new CompletableFuture<>();
    // offset from which the remote process needs bytes; -1 until the remote process has answered
    private volatile long offset = -1;
    private @Nullable ChunkSender sender;

    UploadExchange(
            RpcAddress address,
            BulkRequest.Offer offer,
            StreamContent.FilePart content,
            PieceChecksumCache checksums,
            LongConsumer progress) {
        super(address, offer);
        this.progress = progress;
        this.content = content;
        this.checksums = checksums;
    }

    CompletionStage<StreamInfo> done() {
        return done;
    }

    /**
     * Offset of the first byte of the file that the remote process needs; -1 until the remote process has answered the
     * offer. Thread-safe.
     */
    long offset() {
        return offset;
    }

    @Override
    boolean isSmall() {
        return false;
    }

    @Override
    void opened(StreamInfo info, SendWindow window) throws MalformedFrame {
        if (offset >= 0 || info.size() != content.size() || info.offset() + info.length() != info.size()) {
            throw new MalformedFrame("answer of " + info + " to an offer of " + content.size() + " bytes");
        }
        offset = info.offset();
        progress.accept(offset);
        if (info.length() > 0) {
            try {
                sender = new ChunkSender(
                        window, ContentSource.open(content, checksums), offset, content.size(), new Outcome());
                sender.send();
                window.flush();
            } catch (IOException unreadable) {
                unreadable(unreadable);
            }
        }
    }

    @Override
    void received(List<ByteBuf> parts, int length) throws MalformedFrame {
        throw new MalformedFrame("chunk of " + length + " bytes in answer to an upload (expected: none)");
    }

    @Override
    void ended() throws MalformedFrame {
        if (offset < 0) {
            throw new MalformedFrame("end of an upload that has not begun");
        }
        stop();
        done.complete(new StreamInfo(content.size(), content.tag(), offset, content.size() - offset));
    }

    @Override
    void fail(HearthException failure) {
        done.completeExceptionally(failure);
        stop();
    }

    @Override
    void proceed() {
        if (sender != null) {
            sender.send();
            progress.accept(sender.position());
        }
    }

    @Override
    boolean isDone() {
        return done.isDone();
    }

    @Override
    String progress() {
        return offset < 0 ? "no answer" : "an answer that wanted bytes " + offset + " to " + content.size();
    }

    @Override
    HearthException damaged(int length) {
        return ErrorCode.STREAM_DAMAGED.failure(subject() + ": a chunk in answer to an upload (expected: none)");
    }

    private void stop() {
        ChunkSender sending = sender;
        if (sending != null) {
            sending.cancel();
        }
    }

    private void unreadable(Exception failure) {
        fail(ErrorCode.STREAM_CHANGED.failure(
                content.file() + ": cannot be read any more, " + failure
                        + " (expected: a file that does not change while it is uploaded)",
                failure));
    }

    private final class Outcome implements ChunkSender.Outcome {
        @Override
        public void sent() {
            // nothing to do: the remote process verifies the content and answers
        }

        @Override
        public void failed(Exception failure) {
            unreadable(failure);
        }
    }
}
