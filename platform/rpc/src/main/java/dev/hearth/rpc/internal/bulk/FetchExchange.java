package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Transfer;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Exchange that fetches a range of a stream: the request and its response, whose bytes are passed to a {@link
 * StreamSink}. The event loop owns the number of received bytes; any thread may pause, resume or abort.
 */
final class FetchExchange extends BulkExchange implements Transfer {
    private final StreamRange range;
    private final StreamSink sink;
    private final CompletableFuture<StreamInfo> done = new CompletableFuture<>();
    private volatile boolean paused;
    private @Nullable StreamInfo info;
    private long received;

    FetchExchange(RpcAddress address, BulkRequest request, StreamRange range, StreamSink sink) {
        super(address, request);
        this.range = range;
        this.sink = sink;
    }

    @Override
    public CompletionStage<StreamInfo> done() {
        return done.minimalCompletionStage();
    }

    @Override
    public void pause() {
        paused = true;
        notifyConnection();
    }

    @Override
    public void resume() {
        paused = false;
        notifyConnection();
    }

    @Override
    public void abort() {
        fail(ErrorCode.TRANSFER_ABORTED.failure(
                subject() + ": aborted after " + progress() + " (expected: a reader" + " that reads to the end)"));
        notifyConnection();
    }

    @Override
    boolean isSmall() {
        return range.length().orElse(Long.MAX_VALUE) <= BulkLimits.PIECE_BYTES;
    }

    @Override
    void opened(StreamInfo head, SendWindow window) throws MalformedFrame {
        if (info != null
                || head.offset() != range.offset()
                || head.length() > range.length().orElse(Long.MAX_VALUE)
                || range.tag().filter(tag -> !tag.equals(head.tag())).isPresent()) {
            throw new MalformedFrame("answer of " + head + " (expected: one to " + range + ")");
        }
        info = head;
        if (!isDone()) {
            deliver(() -> sink.opened(head));
        }
    }

    @Override
    void received(List<ByteBuf> parts, int length) throws MalformedFrame {
        if (info == null || length > info.length() - received) {
            throw new MalformedFrame("chunk of " + length + " bytes after " + progress() + " (expected: no more"
                    + " than the announced bytes)");
        }
        for (ByteBuf part : parts) {
            if (!isDone()) { // checked per part, because the sink may end the exchange between two parts
                deliver(() -> sink.received(part.nioBuffer()));
            }
        }
        received += length;
    }

    @Override
    void ended() throws MalformedFrame {
        if (info == null || received != info.length()) {
            throw new MalformedFrame("end after " + progress() + " (expected: after the last byte)");
        }
        done.complete(info);
    }

    @Override
    void fail(HearthException failure) {
        done.completeExceptionally(failure);
    }

    @Override
    boolean isDone() {
        return done.isDone();
    }

    @Override
    boolean isPaused() {
        return paused && !done.isDone();
    }

    @Override
    String progress() {
        StreamInfo head = info;
        return head == null ? "no answer" : received + " of " + head.length() + " bytes";
    }

    @Override
    HearthException damaged(int length) {
        long from = range.offset() + received;
        return ErrorCode.STREAM_DAMAGED.failure(subject() + ": bytes " + from + " to " + (from + length)
                + " are not what was sent (expected: their CRC32C); fetch again from byte " + from);
    }

    private void deliver(SinkCall call) {
        try {
            call.run();
        } catch (IOException failure) {
            fail(ErrorCode.DISK_FAILED.failure(
                    Failures.expecting(
                            subject() + ": cannot be stored after " + progress() + ", " + failure,
                            "a disk with free space"),
                    failure));
        } catch (HearthException refusal) {
            fail(refusal);
        } catch (RuntimeException mistake) {
            fail(ErrorCode.INTERNAL.failure(
                    Failures.expecting(
                            subject() + ": the receiving code threw " + mistake + " after " + progress(),
                            "it takes all bytes"),
                    mistake));
        }
    }

    /**
     * Makes the connection over which the request was sent, if any, react to a pause, resumption or abort of this
     * exchange.
     */
    private void notifyConnection() {
        BulkClientConnection sentOver = connection();
        if (sentOver != null) {
            sentOver.recheck();
        }
    }

    private interface SinkCall {
        void run() throws IOException;
    }
}
