package dev.hearth.rpc.internal;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs messages that one peer sends to endpoints that do not exist. It logs the first message at once and later
 * messages as a count per interval, so that the peer cannot flood the log. Owned by the event loop of the peer's
 * connection.
 */
final class DeadLetterLog {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterLog.class);

    /** Interval between two log lines about dropped messages. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final int NAME_CHARS_MAX = 100;

    private final NettyPeer peer;
    private final EndpointRegistry endpoints;
    private final EventExecutor loop;
    private long suppressed;
    private String lastName = "";
    // null while no interval is running, in which case the next message is logged at once
    private @Nullable Future<?> timer;

    DeadLetterLog(NettyPeer peer, EndpointRegistry endpoints, EventExecutor loop) {
        this.peer = peer;
        this.endpoints = endpoints;
        this.loop = loop;
    }

    /** Logs or counts a message that was dropped because no endpoint has this name. */
    void dropped(String endpoint) {
        lastName = endpoint.length() > NAME_CHARS_MAX ? endpoint.substring(0, NAME_CHARS_MAX) + "..." : endpoint;
        if (timer == null) {
            LOG.warn("{}: dropped a message to endpoint '{}' (expected: one of {})", peer, shownName(), endpoints);
            startInterval();
        } else {
            suppressed++;
        }
    }

    /**
     * Logs the number of messages dropped since the last log line, if any. Called when the connection to the peer is
     * lost.
     */
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

    /** Returns the endpoint name of the last dropped message, without control characters, for the log. */
    private String shownName() {
        return lastName.replaceAll("\\p{Cntrl}", " ");
    }
}
