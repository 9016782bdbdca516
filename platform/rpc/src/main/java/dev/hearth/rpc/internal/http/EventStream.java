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
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One page that listens to events, from its answer's head to the end of its connection. Any thread may send; what waits
 * to be written is bounded in bytes, and a page that falls behind is cut off rather than waited for.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class EventStream implements EventSource.Listener {
    /** What may wait to be written to one page; a page that comes back says which event it has seen last. */
    static final int WAITING_BYTES_MAX = 1024 * 1024;

    /** What an event costs while it waits, besides its text: tasks, buffers, promises. */
    static final int EVENT_OVERHEAD_BYTES = 256;

    private static final int EVENT_BYTES_MAX = WAITING_BYTES_MAX - EVENT_OVERHEAD_BYTES;

    /** So many beats that were not written yet mean that the page does not read. */
    static final int BEATS_WAITING_MAX = 4;

    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final byte[] BEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Channel channel;
    private final String remote;
    private final Mount mount;
    private final HttpServices services;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong sentBytes = new AtomicLong();
    private final List<Runnable> closedActions = new ArrayList<>(); // guarded by itself
    private boolean gone; // guarded by closedActions
    private volatile boolean ended;
    private int beatsWaiting; // owned by the channel's event loop
    private boolean lastWritten; // owned by the channel's event loop

    EventStream(Channel channel, String remote, Mount mount, HttpServices services) {
        this.channel = channel;
        this.remote = remote;
        this.mount = mount;
        this.services = services;
    }

    @Override
    public boolean send(EventSource.Event event) {
        byte[] text = written(event);
        if (text.length > EVENT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "event of " + text.length + " bytes (expected: " + EVENT_BYTES_MAX + " at most)");
        }
        if (ended) {
            return false;
        }
        if (waitingBytes.addAndGet(text.length + EVENT_OVERHEAD_BYTES) > WAITING_BYTES_MAX) {
            cut();
            return false;
        }
        return inLoop(() -> write(text));
    }

    @Override
    public void whenClosed(Runnable action) {
        synchronized (closedActions) {
            if (!gone) {
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
                        .addListener(written -> channel.close()); // whatever became of it
            }
        });
    }

    long sentBytes() {
        return sentBytes.get();
    }

    /** Shows that the connection lives; on the channel's event loop. */
    void beat() {
        if (beatsWaiting >= BEATS_WAITING_MAX) {
            cut();
            return;
        }
        beatsWaiting++;
        if (lastWritten) {
            return; // nothing may follow it; the page has as many beats to take it
        }
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(BEAT)))
                .addListener(written -> beatsWaiting--);
    }

    /** The connection has ended; on the channel's event loop. */
    void gone() {
        ended = true;
        List<Runnable> actions;
        synchronized (closedActions) {
            gone = true;
            actions = List.copyOf(closedActions);
            closedActions.clear();
        }
        actions.forEach(action -> services.pool().listen(mount, () -> run(action)));
    }

    private void write(byte[] text) {
        if (!channel.isActive() || lastWritten) {
            return;
        }
        ByteBuf bytes = Unpooled.wrappedBuffer(text);
        channel.writeAndFlush(new DefaultHttpContent(bytes)).addListener(written -> {
            waitingBytes.addAndGet(-(text.length + EVENT_OVERHEAD_BYTES));
            if (written.isSuccess()) {
                sentBytes.addAndGet(text.length);
            }
        });
    }

    private void cut() {
        if (!ended) {
            ended = true;
            services.counters().slowListener();
            LOG.warn(
                    "{}: cut off from events, {} bytes wait for it (expected: a page that reads, and at most {})",
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
            ended = true; // its env has closed, and with it the connection
            return false;
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | LinkageError failure) {
            LOG.warn("{}: what was to follow its event stream failed", remote, failure);
        }
    }

    private static byte[] written(EventSource.Event event) {
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
            throw new IllegalArgumentException(name + " of an event: more than a line (expected: one, without NUL)");
        }
        if (!value.isEmpty()) {
            text.append(name).append(": ").append(value).append('\n');
        }
    }
}
