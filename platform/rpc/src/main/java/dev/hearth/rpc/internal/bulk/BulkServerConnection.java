package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.StreamContent;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serving end of a connection for bulk data. It queues a bounded number of requests and answers them one after another.
 *
 * <p>Lives from the handshake to the end of the connection; owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class BulkServerConnection extends ChannelInboundHandlerAdapter
        implements BulkFrameDecoder.Receiver,
                BulkRequest.Handler<BulkServerConnection.ResponseFactory>,
                BulkConnection {
    private static final Logger LOG = LoggerFactory.getLogger(BulkServerConnection.class);

    private final String remote;
    private final ServedStreams served;
    private final BulkServices services;
    private final BulkConnection.Owner owner;
    private final BulkFrameDecoder decoder = new BulkFrameDecoder(this);
    private final BulkConnectionStats stats;
    private final Queue<BulkRequest> waiting = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable BulkResponse answering;
    private @Nullable Future<?> checks;
    private boolean advancing;
    private boolean closed;

    BulkServerConnection(
            String remote, String security, ServedStreams served, BulkServices services, BulkConnection.Owner owner) {
        this.remote = remote;
        this.served = served;
        this.services = services;
        this.owner = owner;
        this.stats = new BulkConnectionStats(remote, security, services, decoder);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        stats.attach(new SendWindow(added, services.ticker(), this::advance));
        owner.opened(this);
    }

    /**
     * Starts the regular checks of the time limits of this connection. Called once the channel is on the event loop on
     * which it stays.
     */
    void start() {
        if (!closed) {
            checks = context().executor().schedule(this::check, services.times().checkMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Ends this connection after the failed move of its channel to an event loop for bulk data. The failure has closed
     * the channel.
     */
    void notMoved() {
        end();
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            stats.received(bytes.readableBytes());
            if (!closed) {
                decoder.read(bytes);
            }
        } catch (MalformedFrame malformed) {
            close(malformed.getMessage());
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext reading) {
        window().flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        end();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failing, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("Bulk connection of {} broke", remote, cause);
        } else {
            LOG.warn("Bulk connection of {} failed", remote, cause);
        }
        failing.close();
    }

    @Override
    public void begins(BulkFrameKind kind, int length) throws MalformedFrame {
        BulkResponse current = answering;
        if (kind == BulkFrameKind.CHUNK && (current == null || !current.wantsChunks())) {
            throw new MalformedFrame("chunk of " + length + " bytes (expected: none before an upload was agreed on)");
        }
        if (waiting.size() >= BulkLimits.PIPELINED_REQUESTS_MAX) {
            throw new MalformedFrame("more than " + BulkLimits.PIPELINED_REQUESTS_MAX
                    + " requests at once (expected: at most that" + " many)");
        }
    }

    @Override
    public void frame(BulkFrameKind kind, ByteBuffer body) throws MalformedFrame {
        Optional<BulkRequest> request = BulkRequest.read(kind, body);
        waiting.add(request.orElseThrow(() -> new MalformedFrame(kind + " (expected: a request)")));
        advance();
    }

    @Override
    public void chunk(List<ByteBuf> parts, int length, boolean right) throws MalformedFrame {
        BulkResponse current = answering;
        if (current == null) {
            throw new MalformedFrame("chunk of " + length + " bytes (expected: none)");
        }
        if (right) {
            current.take(parts, length);
        } else {
            current.damaged(length);
        }
    }

    @Override
    public ResponseFactory onFetch(BulkRequest.Fetch request) {
        return () -> {
            StreamContent content = served.open(request.name());
            try {
                return new ContentResponse(
                        this, request, content, request.range(), () -> isUnchanged(request.name(), content));
            } catch (NoSuchFileException missing) {
                // a stream withdrawn since it was opened is an unknown stream; otherwise its file is lost
                served.open(request.name());
                throw missing;
            }
        };
    }

    @Override
    public ResponseFactory onListing(BulkRequest.Listing request) {
        return () -> new ListingResponse(this, request, served);
    }

    @Override
    public ResponseFactory onOffer(BulkRequest.Offer request) {
        return () -> new UploadResponse(this, request, served.store());
    }

    BulkServices services() {
        return services;
    }

    SendWindow window() {
        return stats.window();
    }

    /**
     * Writes the END frame after the last byte of the response {@code ended}, and starts the response to the next
     * queued request.
     */
    void ended(BulkResponse ended) {
        window().write(BulkFrameKind.END, new byte[0]);
        next(ended);
    }

    /**
     * Sends the failure of the response {@code ended} to the requester, and starts the response to the next queued
     * request. {@code deed} names the operation that failed.
     */
    void failed(BulkResponse ended, BulkRequest request, String deed, Exception failure) {
        refuse(request, deed, failure);
        next(ended);
    }

    /**
     * Sends {@code failure} to the requester instead of the response. File paths and the details of unexpected
     * exceptions appear only in the local log. {@code deed} names the operation that failed, such as {@code read}.
     */
    void refuse(BulkRequest request, String deed, Exception failure) {
        Exception reported = failure instanceof IOException unusable
                ? ErrorCode.DISK_FAILED.failure(
                        request.subject() + ": cannot be " + deed + ", " + DiskErrorMessages.of(unusable)
                                + " (expected: a disk that works, with free space); the log of that process says where",
                        failure)
                : failure;
        BulkFailure sent = BulkFailure.of(request.subject(), reported);
        if (sent.code() == ErrorCode.INTERNAL || reported.getCause() instanceof IOException) {
            LOG.warn("{}: requested by {}, failed", request.subject(), remote, failure);
        }
        window().write(BulkFrameKind.FAILURE, sent.body());
        window().flush();
    }

    /**
     * Replaces the current response {@code before} by {@code after}, which continues the response to the same request.
     * If the connection has ended in the meantime, cancels {@code after} instead.
     */
    void replaced(BulkResponse before, BulkResponse after) {
        if (answering == before) {
            answering = after;
            advance();
        } else {
            after.cancel(); // the replaced response is no longer current, because the connection has ended
        }
    }

    /** Sends a WORKING frame, which shows the remote process that this process still works on the response. */
    void working() {
        window().write(BulkFrameKind.WORKING, new byte[0]);
        window().flush();
    }

    /** Runs {@code action} on the event loop after a delay, unless the loop ends earlier. */
    void after(Duration delay, Runnable action) {
        context().executor().schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs {@code action} on the event loop. If the loop has ended, runs {@code otherwise} on the calling thread. */
    void runOnLoop(Runnable action, Runnable otherwise) {
        try {
            context().executor().execute(action);
        } catch (RejectedExecutionException ended) {
            otherwise.run();
        }
    }

    /** Ends the connection because the remote process broke the protocol, and sends it the reason. */
    void close(String fault) {
        if (!closed) {
            LOG.warn("Closed the bulk connection of {}: {}", remote, fault);
            String text = "bulk request: " + fault + "; the connection is closed";
            context()
                    .writeAndFlush(BulkWireFormat.frame(
                            context().alloc(),
                            BulkFrameKind.FAILURE,
                            new BulkFailure(ErrorCode.MALFORMED_MESSAGE, text).body()))
                    .addListener(ChannelFutureListener.CLOSE);
            context()
                    .executor() // this timer closes the channel even if the peer does not read the failure
                    .schedule(() -> context().close(), BulkLimits.LAST_WORD_MAX.toMillis(), TimeUnit.MILLISECONDS);
            end();
        }
    }

    @Override
    public void close() {
        runOnLoop(() -> context().close(), () -> {});
    }

    @Override
    public BulkSnapshot snapshot() {
        return stats.snapshot();
    }

    private void next(BulkResponse ended) {
        if (answering == ended) {
            answering = null;
        }
        stats.touch();
        advance();
    }

    /** Continues the current response, and starts the responses to queued requests while the send window has room. */
    private void advance() {
        if (advancing || closed) {
            return; // the call of advance that is in progress repeats its checks
        }
        advancing = true;
        try {
            do {
                if (mayStart()) {
                    // checked, because otherwise responses without chunks could pile up for a peer that does not read
                    begin(waiting.remove());
                }
                if (answering != null) {
                    answering.proceed();
                }
            } while (!closed && mayStart());
        } finally {
            advancing = false;
        }
        stats.setUnderWay(waiting.size() + (answering == null ? 0 : 1));
        window().flush();
    }

    private boolean mayStart() {
        return answering == null && !waiting.isEmpty() && window().hasRoom();
    }

    private void begin(BulkRequest request) {
        try {
            answering = request.accept(this).open();
        } catch (IOException | RuntimeException failure) {
            refuse(request, "read", failure);
        }
    }

    /**
     * Whether the stream {@code name} still has the version tag of {@code content}, which was sent. Content in memory,
     * and a stream that is no longer served, count as unchanged.
     */
    private boolean isUnchanged(String name, StreamContent content) throws IOException {
        if (content instanceof StreamContent.InMemory) {
            return true;
        }
        try {
            return served.open(name).tag().equals(content.tag());
        } catch (HearthException gone) {
            return true;
        }
    }

    private void check() {
        if (closed) {
            return;
        }
        long now = services.ticker().nanos();
        BulkTimeouts times = services.times();
        long quietNanos = stats.idleNanos();
        if (answering != null
                && answering.wantsChunks()
                && quietNanos > times.silence().toNanos()) {
            close("upload without a byte for " + TimeUnit.NANOSECONDS.toMillis(quietNanos) + " ms (expected: bytes)");
        } else if (!window().isEmpty()
                && now - window().progressNanos() > times.readerPauseMax().toNanos()) {
            LOG.warn(
                    "Closed the bulk connection of {}: the client read nothing for {} ms (expected: a client that"
                            + " reads the content that it requested)",
                    remote,
                    TimeUnit.NANOSECONDS.toMillis(now - window().progressNanos()));
            context().close();
        } else if (answering == null
                && waiting.isEmpty()
                && window().isEmpty() // a window with bytes means that a slow reader is still receiving a response
                && Math.min(quietNanos, now - window().progressNanos())
                        > times.serverIdleMax().toNanos()) {
            context().close();
        }
        start();
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext added = context;
        if (added == null) {
            throw new IllegalStateException("bulk connection of " + remote + ": not in a pipeline yet");
        }
        return added;
    }

    private void end() {
        if (closed) {
            return;
        }
        closed = true;
        decoder.stop();
        waiting.clear();
        if (answering != null) {
            answering.cancel();
            answering = null;
        }
        if (checks != null) {
            checks.cancel(false);
        }
        owner.closed(this);
    }

    /** Function that creates the response to one request. It may throw, in which case the failure is sent instead. */
    interface ResponseFactory {
        BulkResponse open() throws IOException;
    }
}
