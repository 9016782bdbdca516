package dev.hearth.rpc.internal;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of messages of one peer to endpoints that are not there: of the first at once, of those behind it in one line an
 * interval, as the peer could fill the log otherwise. Owned by the peer's event loop; ends with the peer.
 */
final class DeadLetterLog {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterLog.class);

    /** How long messages are counted before they are told of. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final int NAME_CHARS_MAX = 100;

    private final NettyPeer peer;
    private final EndpointRegistry endpoints;
    private final EventExecutor loop;
    private long untold;
    private String lastName = "";
    private @Nullable Future<?> timer; // null: the next one is told of at once

    DeadLetterLog(NettyPeer peer, EndpointRegistry endpoints, EventExecutor loop) {
        this.peer = peer;
        this.endpoints = endpoints;
        this.loop = loop;
    }

    /** A message to an endpoint of this name was dropped. */
    void dropped(String endpoint) {
        lastName = endpoint.length() > NAME_CHARS_MAX ? endpoint.substring(0, NAME_CHARS_MAX) + "..." : endpoint;
        if (timer == null) {
            LOG.warn("{}: dropped a message to endpoint '{}' (expected: one of {})", peer, shownName(), endpoints);
            plan();
        } else {
            untold++;
        }
    }

    /** The peer is lost: what has not been told is told now. */
    void close() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        tell();
    }

    private void plan() {
        timer = loop.schedule(this::look, INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look() {
        timer = null;
        if (untold > 0) {
            tell();
            plan();
        }
    }

    private void tell() {
        if (untold > 0) {
            LOG.warn(
                    "{}: dropped {} more messages to endpoints that are not there, the last to '{}' (expected: one of {})",
                    peer,
                    untold,
                    shownName(),
                    endpoints);
            untold = 0;
        }
    }

    /** As it is shown to people. */
    private String shownName() {
        return lastName.replaceAll("\\p{Cntrl}", " ");
    }
}
