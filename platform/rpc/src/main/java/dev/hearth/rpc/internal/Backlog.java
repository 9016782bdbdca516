package dev.hearth.rpc.internal;

import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the received bytes of one peer whose messages still wait for their endpoints. Beyond a bound, or while an
 * endpoint's queue is full, this process stops reading from the peer. TCP back-pressure then slows the peer down, so
 * the queues stay small. Thread-safe.
 */
final class Backlog {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

    private final Channel channel;
    private final String remote;
    private final long waitingBytesMax;
    private final AtomicLong waitingBytes = new AtomicLong();
    // number of calls of hold that no call of release has undone yet
    private final AtomicInteger holds = new AtomicInteger();
    private volatile boolean paused; // written by the channel's event loop

    Backlog(Channel channel, String remote, long waitingBytesMax) {
        this.channel = channel;
        this.remote = remote;
        this.waitingBytesMax = waitingBytesMax;
    }

    boolean isPaused() {
        return paused;
    }

    /**
     * Adds the bytes of an arrived message to the count; above the bound, stops reading from the peer. Called on the
     * channel's event loop.
     */
    void queued(int bytes) {
        if (waitingBytes.addAndGet(bytes) > waitingBytesMax && !paused) {
            LOG.warn(
                    "peer at {}: reading from it is paused while {} bytes of its messages wait for endpoints"
                            + " (expected: at most {}); an endpoint handles them too slowly",
                    remote,
                    waitingBytes.get(),
                    waitingBytesMax);
            pause();
        }
    }

    /** Subtracts the bytes of a message from the count, because its endpoint starts to handle it. */
    void started(int bytes) {
        waitingBytes.addAndGet(-bytes);
        if (paused) {
            scheduleResume();
        }
    }

    /**
     * Stops reading from the peer because the queue of {@code endpoint} is full. Reading resumes when {@link #release}
     * was called as often as this method.
     */
    void hold(String endpoint) {
        if (holds.incrementAndGet() == 1) {
            LOG.warn(
                    "peer at {}: reading from it is paused while the queue of endpoint {} is full (expected: an"
                            + " endpoint that handles messages as fast as they arrive)",
                    remote,
                    endpoint);
        }
        if (channel.eventLoop().inEventLoop()) {
            pause(); // stop reading at once: afterwards only messages that were already read are delivered
            return;
        }
        try {
            channel.eventLoop().execute(this::pause);
        } catch (RejectedExecutionException ended) {
            LOG.debug("peer at {}: its RPC environment is closed, nothing is read any more", remote);
        }
    }

    void release() {
        holds.decrementAndGet();
        scheduleResume();
    }

    private void pause() {
        paused = true;
        channel.config().setAutoRead(false);
        // check again: the threads that handled the last messages may have seen the old value of the flag
        resumeIfLow();
    }

    private void scheduleResume() {
        try {
            channel.eventLoop().execute(this::resumeIfLow);
        } catch (RejectedExecutionException ended) {
            LOG.debug("peer at {}: its RPC environment is closed, nothing is read any more", remote);
        }
    }

    private void resumeIfLow() {
        if (paused && holds.get() == 0 && waitingBytes.get() <= waitingBytesMax / 2) {
            paused = false;
            channel.config().setAutoRead(true);
        }
    }
}
