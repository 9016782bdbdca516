package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.EventSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stream of server-sent events to one client, from the head of its response to the end of the connection. Any thread
 * may send. The number of bytes that wait to be sent is bounded; a client that is too slow is disconnected.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
final class EventStream implements EventSource.Listener {
    /**
     * Maximum number of bytes of events that wait to be sent to one client. Beyond it the client is disconnected. When
     * it reconnects, it names the last event it received, so that it can continue there.
     */
    static final int WAITING_BYTES_MAX = 1024 * 1024;

    /** Estimated memory per waiting event besides its text, for tasks, buffers and promises. */
    static final int EVENT_OVERHEAD_BYTES = 256;

    private static final int EVENT_BYTES_MAX = WAITING_BYTES_MAX - EVENT_OVERHEAD_BYTES;

    /** Maximum number of unsent keep-alive comments. If more wait, the client does not read, and it is disconnected. */
    static final int COMMENTS_WAITING_MAX = 4;

    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Channel channel;
    private final String remote;
    private final Mount mount;
    private final HttpExchange exchange;
    private final HttpServices services;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicBoolean lagging = new AtomicBoolean(); // whether memory is reserved for waiting bytes
    private final AtomicLong sentBytes = new AtomicLong();
    private final List<Runnable> closedActions = new ArrayList<>(); // guarded by itself
    private boolean disconnected; // guarded by closedActions
    private volatile boolean ended;
    private int commentsWaiting; // accessed only on the channel's event loop
    private boolean lastWritten; // accessed only on the channel's event loop

    EventStream(Channel channel, String remote, Mount mount, HttpExchange exchange, HttpServices services) {
        this.channel = channel;
        this.remote = remote;
        this.mount = mount;
        this.exchange = exchange;
        this.services = services;
    }

    @Override
    public boolean send(EventSource.Event event) {
        byte[] text = encode(event);
        if (text.length > EVENT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "event of " + text.length + " bytes (expected: " + EVENT_BYTES_MAX + " at most)");
        }
        if (ended) {
            return false;
        }
        long waiting = waitingBytes.addAndGet(text.length + EVENT_OVERHEAD_BYTES);
        if (waiting > WAITING_BYTES_MAX || (waiting > ResponseMemory.SMALL_BYTES_MAX && !reserve())) {
            disconnectSlow();
            return false;
        }
        return inLoop(() -> write(text));
    }

    @Override
    public void whenClosed(Runnable action) {
        synchronized (closedActions) {
            if (!disconnected) {
                closedActions.add(action);
                return;
            }
        }
        run(action);
    }

    @Override
    public void close() {
        ended = true;
        inLoop(() -> {
            if (channel.isActive() && !lastWritten) {
                lastWritten = true;
                channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                        .addListener(written -> channel.close()); // release the bytes whether the write succeeds or not
            }
        });
    }

    long sentBytes() {
        return sentBytes.get();
    }

    /** Sends a keep-alive comment. Called on the channel's event loop. */
    void sendComment() {
        if (commentsWaiting >= COMMENTS_WAITING_MAX) {
            disconnectSlow();
            return;
        }
        commentsWaiting++;
        if (lastWritten) {
            // send nothing after the end of the stream, but count each interval in which the client does not read the
            // end
            return;
        }
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(COMMENT)))
                .addListener(written -> commentsWaiting--);
    }

    /**
     * Submits to the handler pool the actions that were registered for the end of the stream. Called on the event loop
     * when the connection has ended.
     */
    void disconnected() {
        ended = true;
        List<Runnable> actions;
        synchronized (closedActions) {
            disconnected = true;
            actions = List.copyOf(closedActions);
            closedActions.clear();
        }
        actions.forEach(action -> services.pool().submitNotification(mount, () -> run(action)));
    }

    private void write(byte[] text) {
        if (!channel.isActive() || lastWritten) {
            return;
        }
        ByteBuf bytes = Unpooled.wrappedBuffer(text);
        channel.writeAndFlush(new DefaultHttpContent(bytes)).addListener(written -> {
            if (waitingBytes.addAndGet(-(text.length + EVENT_OVERHEAD_BYTES)) == 0
                    && lagging.compareAndSet(true, false)) {
                exchange.reserveResponse(0);
            }
            if (written.isSuccess()) {
                sentBytes.addAndGet(text.length);
            }
        });
    }

    /**
     * Reserves memory for events that wait for the client. Does so once in each period in which the client reads more
     * slowly than events come. Returns false if there is no room.
     */
    private boolean reserve() {
        return !lagging.compareAndSet(false, true) || exchange.reserveResponse(WAITING_BYTES_MAX);
    }

    private void disconnectSlow() {
        if (!ended) {
            ended = true;
            services.counters().slowListener();
            LOG.warn(
                    "{}: event stream closed, {} bytes wait for it (expected: a client that reads, and at most {})",
                    remote,
                    waitingBytes.get(),
                    WAITING_BYTES_MAX);
        }
        channel.close();
    }

    private boolean inLoop(Runnable action) {
        try {
            channel.eventLoop().execute(action);
            return true;
        } catch (RejectedExecutionException closed) {
            ended = true; // nothing to do: the RPC environment has closed, which closes the connection
            return false;
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | LinkageError failure) {
            LOG.warn("{}: an action after the end of its event stream failed", remote, failure);
        }
    }

    private static byte[] encode(EventSource.Event event) {
        StringBuilder text = new StringBuilder(event.data().length() + 32);
        field(text, "id", event.id());
        field(text, "event", event.name());
        for (String line : event.data().split("\r\n|\r|\n", -1)) {
            text.append("data: ").append(line).append('\n');
        }
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void field(StringBuilder text, String name, String value) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    name + " of an event: several lines, or NUL (expected: one line without NUL)");
        }
        if (!value.isEmpty()) {
            text.append(name).append(": ").append(value).append('\n');
        }
    }
}
