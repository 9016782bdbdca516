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
 * The asking end of a bulk connection: exchanges are answered in the order they were sent in. While the first of them is
 * paused nothing is read, and those behind it go elsewhere. Owned by the channel's event loop; lives until it ends.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
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
    private boolean spent; // ends with its first exchange, as those behind it went elsewhere
    private boolean checking;
    private boolean flushing;
    private boolean closed;

    /** Takes over a channel; to be added to its pipeline. */
    BulkClientConnection(Channel channel, String remote, BulkServices services, Owner owner) {
        this.channel = channel;
        this.remote = remote;
        this.services = services;
        this.owner = owner;
        this.stats = new BulkConnectionStats(remote, BulkLane.security(channel), services, decoder);
    }

    /** Sends a request. Any thread may call. */
    void send(BulkExchange exchange) {
        onLoop(() -> sendNow(exchange), () -> exchange.fail(lost(exchange, "this process closes its connections")));
    }

    /** Looks again whether the first exchange is paused or done. Any thread may call. */
    void look() {
        onLoop(this::lookNow, () -> {});
    }

    /** Ends the connection for a reason of ours; what is under way fails. Any thread may call. */
    void close(String reason) {
        onLoop(() -> end(reason, Again.NEVER), () -> {});
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
        if (!context.channel().isActive()) { // it broke before it was handed over, and will not say so again
            end("the connection was lost at once", Again.IF_UNANSWERED);
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
                        first.subject() + ": it answered with " + malformed.getMessage()
                                + "; install the same release on both sides",
                        malformed));
            }
            end("it sent what nobody understands", Again.IF_UNANSWERED);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end("the connection was lost", Again.IF_UNANSWERED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("Bulk connection to {} broke", remote, cause);
        end("the connection broke: " + cause.getMessage(), Again.IF_UNANSWERED);
    }

    @Override
    public void begins(BulkFrameKind kind, int length) throws MalformedFrame {
        if (sent.isEmpty()) {
            throw new MalformedFrame(kind + " (expected: nothing, as nothing was asked)");
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
                if (first instanceof UploadExchange) { // chunks that nobody wants may be on their way
                    first.fail(failure);
                    end("the upload failed", Again.IF_UNANSWERED);
                } else {
                    free();
                    first.fail(failure);
                    finished();
                }
            }
            case WORKING ->
                LOG.trace("{} of {} takes its time", first.subject(), remote); // it came: that is all it says
            case FETCH, LIST, OFFER, CHUNK -> throw new MalformedFrame(kind + " (expected: an answer)");
        }
    }

    @Override
    public void chunk(List<ByteBuf> parts, int length, boolean right) throws MalformedFrame {
        BulkExchange first = sent.element();
        if (!right) {
            first.fail(first.damaged(length));
            end("it damages what it carries", Again.IF_UNANSWERED);
            return;
        }
        first.received(parts, length);
        dropIfDone(first);
    }

    private void sendNow(BulkExchange exchange) {
        if (closed) {
            owner.again(this, exchange);
            return;
        }
        if (sent.isEmpty()) {
            stats.touch();
        }
        exchange.sentOver(this);
        sent.add(exchange);
        stats.setUnderWay(sent.size());
        window().write(exchange.request().kind(), exchange.request().body());
        if (!flushing) { // once for all that were given to this loop together
            flushing = true;
            channel.eventLoop().execute(() -> {
                flushing = false;
                window().flush();
            });
        }
        lookNow();
        checkLater();
    }

    /** Before the end of the first exchange is told: what follows it can have the connection. */
    private void free() {
        if (!spent) {
            owner.freed(this);
        }
    }

    private void finished() {
        sent.remove();
        stats.setUnderWay(sent.size());
        if (spent) {
            end("what was paused on it is over", Again.IF_UNANSWERED);
        } else {
            lookNow();
        }
    }

    private void lookNow() {
        if (closed) {
            return;
        }
        BulkExchange first = sent.peek();
        boolean hold = first != null && first.isPaused();
        if (hold != stats.isPaused()) {
            stats.setPaused(hold);
            stats.touch();
            channel.config().setAutoRead(!hold);
            owner.held(this, hold);
        }
        if (hold && sent.size() > 1) {
            spent = true;
            sent.remove();
            List<BulkExchange> behind = new ArrayList<>(sent);
            sent.clear();
            sent.add(first);
            stats.setUnderWay(1);
            behind.forEach(moved -> owner.again(this, moved));
        }
        if (first != null) {
            dropIfDone(first);
        }
    }

    /** An answer that nobody wants any more is skipped when it is short, else the connection ends with it. */
    private void dropIfDone(BulkExchange exchange) {
        if (exchange.isDone() && !exchange.isSmall() && exchange == sent.peek()) {
            end("the rest is not wanted any more", Again.IF_UNANSWERED);
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
                    "no byte for " + TimeUnit.NANOSECONDS.toMillis(quietNanos) + " ms, is it hung or the network cut?",
                    Again.NEVER);
        } else {
            checkLater();
        }
    }

    /** Ends the connection, once; exchanges that had no answer yet may be sent again over another. */
    private void end(String reason, Again again) {
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
            if (again == Again.IF_UNANSWERED && exchange.mayBeSentAgain()) {
                owner.again(this, exchange);
            } else {
                exchange.fail(lost(exchange, reason));
            }
        }
    }

    private HearthException lost(BulkExchange exchange, String reason) {
        return ErrorCode.PEER_LOST.failure(exchange.subject() + ": " + reason + "; after " + exchange.progress()
                + " (expected: all of it); what is missing can be fetched from there");
    }

    private SendWindow window() {
        return stats.window();
    }

    private void onLoop(Runnable action, Runnable otherwise) {
        try {
            channel.eventLoop().execute(action);
        } catch (RejectedExecutionException ended) { // the lane is closed
            otherwise.run();
        }
    }

    private enum Again {
        IF_UNANSWERED,
        NEVER
    }

    /** Gives a connection its work. Told on the connection's event loop. */
    interface Owner {
        /** An exchange is over; there is room for another. */
        void freed(BulkClientConnection connection);

        /** It is not read from, or is again. */
        void held(BulkClientConnection connection, boolean held);

        /** The exchange has to be sent over another connection. */
        void again(BulkClientConnection connection, BulkExchange exchange);

        void closed(BulkClientConnection connection);
    }
}
