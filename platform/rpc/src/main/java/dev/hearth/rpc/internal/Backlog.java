package dev.hearth.rpc.internal;

import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages of one peer that wait for their endpoints, bounded in bytes on the wire: beyond the bound, or while an endpoint
 * holds it back, the peer is not read from, so that it slows down instead of filling memory. Any thread may call.
 */
final class Backlog {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

    private final Channel channel;
    private final String remote;
    private final long waitingBytesMax;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicInteger holds = new AtomicInteger(); // endpoints that are full
    private volatile boolean paused; // written by the channel's event loop

    Backlog(Channel channel, String remote, long waitingBytesMax) {
        this.channel = channel;
        this.remote = remote;
        this.waitingBytesMax = waitingBytesMax;
    }

    boolean isPaused() {
        return paused;
    }

    /** Counts a message in. On the channel's event loop. */
    void entered(int bytes) {
        if (waitingBytes.addAndGet(bytes) > waitingBytesMax && !paused) {
            LOG.warn(
                    "peer at {}: not read from while {} bytes of its messages wait for endpoints (expected: at most {});"
                            + " is a loop slow?",
                    remote,
                    waitingBytes.get(),
                    waitingBytesMax);
            pause();
        }
    }

    /** Counts a message out. */
    void left(int bytes) {
        waitingBytes.addAndGet(-bytes);
        if (paused) {
            reconsider();
        }
    }

    /** Stops reading until {@link #release}; as many releases as holds let it go on. */
    void hold(String endpoint) {
        if (holds.incrementAndGet() == 1) {
            LOG.warn(
                    "peer at {}: not read from while endpoint {} is full (expected: room for its messages)",
                    remote,
                    endpoint);
        }
        if (channel.eventLoop().inEventLoop()) {
            pause(); // at once: what has been read already goes on to arrive, and nothing else
            return;
        }
        try {
            channel.eventLoop().execute(this::pause);
        } catch (RejectedExecutionException ended) {
            LOG.debug("peer at {}: its env is closed, nothing is read any more", remote);
        }
    }

    void release() {
        holds.decrementAndGet();
        reconsider();
    }

    private void pause() {
        paused = true;
        channel.config().setAutoRead(false);
        resumeIfLow(); // all of it may have been handled before the flag was seen
    }

    private void reconsider() {
        try {
            channel.eventLoop().execute(this::resumeIfLow);
        } catch (RejectedExecutionException ended) {
            LOG.debug("peer at {}: its env is closed, nothing is read any more", remote);
        }
    }

    private void resumeIfLow() {
        if (paused && holds.get() == 0 && waitingBytes.get() <= waitingBytesMax / 2) {
            paused = false;
            channel.config().setAutoRead(true);
        }
    }
}
