package dev.hearth.rpc.internal;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs messages that one peer sends to endpoints that do not exist. It logs the first message at once and later ones as
 * a count per interval; otherwise the peer could fill the log. Owned by the peer's event loop; lives as long as the
 * peer.
 */
final class DeadLetterLog {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterLog.class);

    /** Time between two logged counts. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final int NAME_CHARS_MAX = 100;

    private final NettyPeer peer;
    private final EndpointRegistry endpoints;
    private final EventExecutor loop;
    private long suppressed;
    private String lastName = "";
    private @Nullable Future<?> timer; // null: no interval is running, so the next message is logged at once

    DeadLetterLog(NettyPeer peer, EndpointRegistry endpoints, EventExecutor loop) {
        this.peer = peer;
        this.endpoints = endpoints;
        this.loop = loop;
    }

    /** Called after a message was dropped because no endpoint has this name. */
    void dropped(String endpoint) {
        lastName = endpoint.length() > NAME_CHARS_MAX ? endpoint.substring(0, NAME_CHARS_MAX) + "..." : endpoint;
        if (timer == null) {
            LOG.warn("{}: dropped a message to endpoint '{}' (expected: one of {})", peer, shownName(), endpoints);
            startInterval();
        } else {
            suppressed++;
        }
    }

    /** Logs the messages counted since the last log line. Called when the peer is lost. */
    void close() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        logCount();
    }

    private void startInterval() {
        timer = loop.schedule(this::endInterval, INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void endInterval() {
        timer = null;
        if (suppressed > 0) {
            logCount();
            startInterval();
        }
    }

    private void logCount() {
        if (suppressed > 0) {
            LOG.warn(
                    "{}: dropped {} more messages to unknown endpoints, the last to '{}' (expected: one of {})",
                    peer,
                    suppressed,
                    shownName(),
                    endpoints);
            suppressed = 0;
        }
    }

    /** Endpoint name of the last dropped message, without control characters. */
    private String shownName() {
        return lastName.replaceAll("\\p{Cntrl}", " ");
    }
}
