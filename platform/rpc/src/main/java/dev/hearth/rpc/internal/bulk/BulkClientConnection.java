package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requesting end of a connection for bulk data. Responses arrive in the order of the requests. While the oldest
 * unfinished exchange (a request with its response) is paused, nothing is read, and later exchanges move to other
 * connections. Owned by the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class BulkClientConnection extends ChannelInboundHandlerAdapter
        implements BulkFrameDecoder.Receiver, BulkConnection {
    private static final Logger LOG = LoggerFactory.getLogger(BulkClientConnection.class);

    private final Channel channel;
    private final String remote;
    private final BulkServices services;
    private final Owner owner;
    private final BulkFrameDecoder decoder = new BulkFrameDecoder(this);
    private final BulkConnectionStats stats;
    private final Deque<BulkExchange> sent = new ArrayDeque<>();
    private boolean draining; // whether to close after the first exchange, because later exchanges have moved
    private boolean checking;
    private boolean flushing;
    private boolean closed;

    /**
     * Creates the handler of the connected {@code channel}. The caller must then add it to the pipeline of the channel.
     */
    BulkClientConnection(Channel channel, String remote, BulkServices services, Owner owner) {
        this.channel = channel;
        this.remote = remote;
        this.services = services;
        this.owner = owner;
        this.stats = new BulkConnectionStats(remote, BulkLane.security(channel), services, decoder);
    }

    /** Sends a request. Thread-safe. */
    void send(BulkExchange exchange) {
        runOnLoop(() -> sendNow(exchange), () -> exchange.fail(lost(exchange, "this process closes its connections")));
    }

    /**
     * Pauses, resumes or ends the connection to match its oldest unfinished exchange (a request with its response).
     * Called when an exchange was paused, resumed or aborted. Thread-safe.
     */
    void recheck() {
        runOnLoop(this::recheckNow, () -> {});
    }

    /** Closes the connection from this side; its unfinished exchanges fail. Thread-safe. */
    void close(String reason) {
        runOnLoop(() -> end(reason, Retry.NEVER), () -> {});
    }

    @Override
    public void close() {
        close("this process closes its connections");
    }

    @Override
    public BulkSnapshot snapshot() {
        return stats.snapshot();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        stats.attach(new SendWindow(context, services.ticker(), this::proceed));
        // if the channel was closed before this handler was added, Netty does not call channelInactive
        if (!context.channel().isActive()) {
            end("the connection was lost at once", Retry.IF_UNANSWERED);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            stats.received(bytes.readableBytes());
            decoder.read(bytes);
        } catch (MalformedFrame malformed) {
            LOG.warn("Closed the bulk connection to {}: {}", remote, malformed.getMessage());
            BulkExchange first = sent.peek();
            if (first != null) {
                first.fail(ErrorCode.MALFORMED_MESSAGE.failure(
                        first.subject() + ": the other side answered with " + malformed.getMessage()
                                + "; install the same release on both sides",
                        malformed));
            }
            end("the other side sent malformed bytes", Retry.IF_UNANSWERED);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end("the connection was lost", Retry.IF_UNANSWERED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("Bulk connection to {} broke", remote, cause);
        end("the connection broke: " + cause.getMessage(), Retry.IF_UNANSWERED);
    }

    @Override
    public void begins(BulkFrameKind kind, int length) throws MalformedFrame {
        if (sent.isEmpty()) {
            throw new MalformedFrame(kind + " (expected: nothing, because nothing was requested)");
        }
    }

    @Override
    public void frame(BulkFrameKind kind, ByteBuffer body) throws MalformedFrame {
        BulkExchange first = sent.element();
        switch (kind) {
            case ANSWER -> {
                first.begin();
                first.opened(BulkWireFormat.parse(kind, body, BulkWireFormat::answer), window());
                dropIfDone(first);
            }
            case END -> {
                free();
                first.ended();
                finished();
            }
            case FAILURE -> {
                HearthException failure =
                        BulkWireFormat.parse(kind, body, BulkFailure::read).asException();
                first.begin();
                if (first instanceof UploadExchange) {
                    // close the connection, because chunks of the failed upload may already be on their way
                    first.fail(failure);
                    end("the upload failed", Retry.IF_UNANSWERED);
                } else {
                    free();
                    first.fail(failure);
                    finished();
                }
            }
            case WORKING ->
                // nothing to do: the arrival of the frame has already restarted the idle time
                LOG.trace("{} of {} is still in progress", first.subject(), remote);
            case FETCH, LIST, OFFER, CHUNK -> throw new MalformedFrame(kind + " (expected: an answer)");
        }
    }

    @Override
    public void chunk(List<ByteBuf> parts, int length, boolean right) throws MalformedFrame {
        BulkExchange first = sent.element();
        if (!right) {
            first.fail(first.damaged(length));
            end("the connection corrupts data", Retry.IF_UNANSWERED);
            return;
        }
        first.received(parts, length);
        dropIfDone(first);
    }

    private void sendNow(BulkExchange exchange) {
        if (closed) {
            owner.retry(this, exchange);
            return;
        }
        if (sent.isEmpty()) {
            stats.touch();
        }
        exchange.sentOver(this);
        sent.add(exchange);
        stats.setUnderWay(sent.size());
        window().write(exchange.request().kind(), exchange.request().body());
        if (!flushing) { // flush later, so that one flush covers all requests sent in this run of the event loop
            flushing = true;
            channel.eventLoop().execute(() -> {
                flushing = false;
                window().flush();
            });
        }
        recheckNow();
        checkLater();
    }

    /**
     * Reports to the pool of this connection that an exchange (a request with its response) has ended. The pool then
     * assigns another one. Called before the requester gets the result.
     */
    private void free() {
        if (!draining) {
            owner.freed(this);
        }
    }

    private void finished() {
        sent.remove();
        stats.setUnderWay(sent.size());
        if (draining) {
            end("the paused transfer of the connection has ended", Retry.IF_UNANSWERED);
        } else {
            recheckNow();
        }
    }

    private void recheckNow() {
        if (closed) {
            return;
        }
        BulkExchange first = sent.peek();
        boolean pause = first != null && first.isPaused();
        if (pause != stats.isPaused()) {
            stats.setPaused(pause);
            stats.touch();
            channel.config().setAutoRead(!pause);
            owner.paused(this, pause);
        }
        if (pause && sent.size() > 1) {
            draining = true;
            sent.remove();
            List<BulkExchange> moved = new ArrayList<>(sent);
            sent.clear();
            sent.add(first);
            stats.setUnderWay(1);
            moved.forEach(each -> owner.retry(this, each));
        }
        if (first != null) {
            dropIfDone(first);
        }
    }

    /**
     * Closes the connection if {@code exchange} is its oldest one and was aborted or has failed before its response was
     * complete. Reading the rest of a large response would cost more. A small response is read and ignored.
     */
    private void dropIfDone(BulkExchange exchange) {
        if (exchange.isDone() && !exchange.isSmall() && exchange == sent.peek()) {
            end("the rest is no longer wanted", Retry.IF_UNANSWERED);
        }
    }

    private void proceed() {
        BulkExchange first = sent.peek();
        if (first != null) {
            stats.touch();
            first.proceed();
            dropIfDone(first);
            window().flush();
        }
    }

    private void checkLater() {
        if (!checking) {
            checking = true;
            channel.eventLoop().schedule(this::check, services.times().checkMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void check() {
        checking = false;
        BulkExchange first = sent.peek();
        if (closed || first == null) {
            return;
        }
        long quietNanos = stats.idleNanos();
        if (!stats.isPaused() && quietNanos > services.times().silence().toNanos()) {
            end(
                    "no byte for " + TimeUnit.NANOSECONDS.toMillis(quietNanos) + " ms; does the other process hang,"
                            + " or is the network cut?",
                    Retry.NEVER);
        } else {
            checkLater();
        }
    }

    /**
     * Ends the connection, once, and with it its unfinished requests. With {@code IF_UNANSWERED}, a request whose
     * response has not begun moves to another connection, if its retries permit. All others fail with {@code reason}.
     */
    private void end(String reason, Retry retry) {
        if (closed) {
            return;
        }
        closed = true;
        decoder.stop();
        channel.close();
        owner.closed(this);
        List<BulkExchange> left = new ArrayList<>(sent);
        sent.clear();
        stats.setUnderWay(0);
        for (BulkExchange exchange : left) {
            if (retry == Retry.IF_UNANSWERED && exchange.isRetryable()) {
                owner.retry(this, exchange);
            } else {
                exchange.fail(lost(exchange, reason));
            }
        }
    }

    private HearthException lost(BulkExchange exchange, String reason) {
        return ErrorCode.PEER_LOST.failure(exchange.subject() + ": lost after " + exchange.progress() + ": " + reason
                + " (expected: a complete transfer); a retry continues from there");
    }

    private SendWindow window() {
        return stats.window();
    }

    private void runOnLoop(Runnable action, Runnable otherwise) {
        try {
            channel.eventLoop().execute(action);
        } catch (RejectedExecutionException ended) {
            // the event loops are shut down, because the RPC environment closes
            otherwise.run();
        }
    }

    private enum Retry {
        IF_UNANSWERED,
        NEVER
    }

    /**
     * Pool that owns the connection and assigns exchanges (requests with their responses) to it. Called on the
     * connection's event loop.
     */
    interface Owner {
        /**
         * Assigns another exchange (a request with its response) to {@code connection}, if one waits in the pool.
         * Called when an exchange of this connection has ended.
         */
        void freed(BulkClientConnection connection);

        /** Called when reading from the connection was paused ({@code paused} is true) or resumed. */
        void paused(BulkClientConnection connection, boolean paused);

        /**
         * Queues {@code exchange} for another connection, because {@code connection} was closed or serves a paused
         * transfer. The response to the exchange has not begun.
         */
        void retry(BulkClientConnection connection, BulkExchange exchange);

        void closed(BulkClientConnection connection);
    }
}
