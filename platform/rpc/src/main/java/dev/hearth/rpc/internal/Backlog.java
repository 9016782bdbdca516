package dev.hearth.rpc.internal;

import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the messages of one peer that wait for their endpoints, in bytes on the wire. Beyond a bound, or while an
 * endpoint is full, this process stops reading from the peer: TCP then slows the peer down, and memory does not grow.
 * Any thread may call.
 */
final class Backlog {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

    private final Channel channel;
    private final String remote;
    private final long waitingBytesMax;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicInteger holds = new AtomicInteger(); // number of calls of hold without a release yet
    private volatile boolean paused; // written by the channel's event loop

    Backlog(Channel channel, String remote, long waitingBytesMax) {
        this.channel = channel;
        this.remote = remote;
        this.waitingBytesMax = waitingBytesMax;
    }

    boolean isPaused() {
        return paused;
    }

    /** Counts a message that arrived. On the channel's event loop. */
    void queued(int bytes) {
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

    /** Counts a message whose handling starts. */
    void started(int bytes) {
        waitingBytes.addAndGet(-bytes);
        if (paused) {
            scheduleResume();
        }
    }

    /** Stops reading from the peer until {@link #release}. Several calls need as many releases. */
    void hold(String endpoint) {
        if (holds.incrementAndGet() == 1) {
            LOG.warn(
                    "peer at {}: not read from while endpoint {} is full (expected: room for its messages)",
                    remote,
                    endpoint);
        }
        if (channel.eventLoop().inEventLoop()) {
            pause(); // at once: only messages in bytes already read are still delivered
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
        scheduleResume();
    }

    private void pause() {
        paused = true;
        channel.config().setAutoRead(false);
        resumeIfLow(); // the threads that handled the last messages may have seen the old flag
    }

    private void scheduleResume() {
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
