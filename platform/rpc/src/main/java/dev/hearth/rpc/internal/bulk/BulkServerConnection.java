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
 * The serving end of a bulk connection: takes requests, at most so many ahead, and answers them one after another.
 * <p>Lives from the handshake to the end of the connection; owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class BulkServerConnection extends ChannelInboundHandlerAdapter
        implements BulkFrameDecoder.Receiver, BulkRequest.Handler<BulkServerConnection.Opening>, BulkConnection {
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

    /** Begins to look after time; on the event loop that the channel stays with. */
    void start() {
        if (!closed) {
            checks = here().executor().schedule(this::check, services.times().checkMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** It could not come to the event loop it was to stay with, and is closed. */
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
            throw new MalformedFrame(
                    "more than " + BulkLimits.PIPELINED_REQUESTS_MAX + " requests at once (expected: fewer)");
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
    public Opening onFetch(BulkRequest.Fetch request) {
        return () -> {
            StreamContent content = served.open(request.name());
            return new ContentResponse(this, request, content, request.range(), () -> stillIs(request.name(), content));
        };
    }

    @Override
    public Opening onListing(BulkRequest.Listing request) {
        return () -> new ListingResponse(this, request, served);
    }

    @Override
    public Opening onOffer(BulkRequest.Offer request) {
        return () -> new UploadResponse(this, request, served.store());
    }

    BulkServices services() {
        return services;
    }

    SendWindow window() {
        return stats.window();
    }

    /** The answer is complete: says so, and goes on to the next. */
    void ended(BulkResponse ended) {
        window().write(BulkFrameKind.END, new byte[0]);
        next(ended);
    }

    /** There will be no more of the answer than was written. */
    void failed(BulkResponse ended, BulkRequest request, String deed, Exception failure) {
        refuse(request, deed, failure);
        next(ended);
    }

    /**
     * Says that the answer under way, or about to begin, comes to nothing: where on a disk the {@code deed} failed, and what
     * went wrong in a provider, is for the log here alone.
     */
    void refuse(BulkRequest request, String deed, Exception failure) {
        Exception told = failure instanceof IOException unusable
                ? ErrorCode.DISK_FAILED.failure(
                        request.subject() + ": cannot be " + deed + ", " + DiskErrorMessages.of(unusable)
                                + " (expected: a disk that works, with room); the log of that process says where",
                        failure)
                : failure;
        BulkFailure said = BulkFailure.of(request.subject(), told);
        if (said.code() == ErrorCode.INTERNAL || told.getCause() instanceof IOException) {
            LOG.warn("{}: asked for by {}, failed", request.subject(), remote, failure);
        }
        window().write(BulkFrameKind.FAILURE, said.body());
        window().flush();
    }

    /** The answer is given by another from now on. */
    void replaced(BulkResponse before, BulkResponse after) {
        if (answering == before) {
            answering = after;
            advance();
        } else {
            after.cancel(); // the connection has ended
        }
    }

    /** Says that the answer takes its time. */
    void working() {
        window().write(BulkFrameKind.WORKING, new byte[0]);
        window().flush();
    }

    /** Runs {@code action} on the event loop after a while, if there is one by then. */
    void after(Duration delay, Runnable action) {
        here().executor().schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs {@code action} on the event loop, or {@code otherwise} here when that has ended. */
    void onLoop(Runnable action, Runnable otherwise) {
        try {
            here().executor().execute(action);
        } catch (RejectedExecutionException ended) {
            otherwise.run();
        }
    }

    /** Ends the connection for a fault of the other side, and tells it. */
    void close(String fault) {
        if (!closed) {
            LOG.warn("Closed the bulk connection of {}: {}", remote, fault);
            String text = "bulk request: " + fault + "; the connection is closed";
            here().writeAndFlush(BulkWireFormat.frame(
                            here().alloc(),
                            BulkFrameKind.FAILURE,
                            new BulkFailure(ErrorCode.MALFORMED_MESSAGE, text).body()))
                    .addListener(ChannelFutureListener.CLOSE);
            here().executor() // it may be one that does not read
                    .schedule(() -> here().close(), BulkLimits.LAST_WORD_MAX.toMillis(), TimeUnit.MILLISECONDS);
            end();
        }
    }

    @Override
    public void close() {
        onLoop(() -> here().close(), () -> {});
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

    /** Goes on with the answer under way and begins the next ones, as far as the system takes what is written. */
    private void advance() {
        if (advancing || closed) {
            return; // the loop below looks again
        }
        advancing = true;
        try {
            do {
                if (mayBegin()) { // or answers of no chunks pile up before a peer that does not read
                    begin(waiting.remove());
                }
                if (answering != null) {
                    answering.proceed();
                }
            } while (!closed && mayBegin());
        } finally {
            advancing = false;
        }
        stats.setUnderWay(waiting.size() + (answering == null ? 0 : 1));
        window().flush();
    }

    private boolean mayBegin() {
        return answering == null && !waiting.isEmpty() && window().hasRoom();
    }

    private void begin(BulkRequest request) {
        try {
            answering = request.accept(this).open();
        } catch (IOException | RuntimeException failure) {
            refuse(request, "read", failure);
        }
    }

    /** Whether a file that was sent is still what it was; what is not served any more did not change. */
    private boolean stillIs(String name, StreamContent content) throws IOException {
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
                    "Closed the bulk connection of {}: it took nothing for {} ms (expected: a reader that reads)",
                    remote,
                    TimeUnit.NANOSECONDS.toMillis(now - window().progressNanos()));
            here().close();
        } else if (answering == null
                && waiting.isEmpty()
                && window().isEmpty() // else a slow reader still has the end of an answer to come
                && Math.min(quietNanos, now - window().progressNanos())
                        > times.serverIdleMax().toNanos()) {
            here().close();
        }
        start();
    }

    private ChannelHandlerContext here() {
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

    /** Begins to answer a request. */
    interface Opening {
        BulkResponse open() throws IOException;
    }
}
