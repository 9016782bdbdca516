package dev.hearth.rpc.internal;

import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages of one peer that wait for their endpoints' loops, bounded in bytes on the wire: beyond the bound the peer is
 * not read from until half of it is handled, so that it slows down instead of filling memory. Any thread may call.
 */
final class Backlog {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

    private final Channel channel;
    private final String remote;
    private final long waitingBytesMax;
    private final AtomicLong waitingBytes = new AtomicLong();
    private volatile boolean paused; // written by the channel's event loop

    Backlog(Channel channel, String remote, long waitingBytesMax) {
        this.channel = channel;
        this.remote = remote;
        this.waitingBytesMax = waitingBytesMax;
    }

    /** Counts a message in; the result, run once, counts it out. On the channel's event loop. */
    Runnable entered(int bytes) {
        if (waitingBytes.addAndGet(bytes) > waitingBytesMax && !paused) {
            paused = true;
            LOG.warn(
                    "peer at {}: not read from while {} bytes of its messages wait for endpoints (expected: at most {});"
                            + " is a loop slow, or closed before its endpoint?",
                    remote,
                    waitingBytes.get(),
                    waitingBytesMax);
            channel.config().setAutoRead(false);
            resumeIfLow(); // all of it may have been handled before the flag was seen
        }
        return () -> left(bytes);
    }

    private void left(int bytes) {
        waitingBytes.addAndGet(-bytes);
        if (paused) {
            try {
                channel.eventLoop().execute(this::resumeIfLow);
            } catch (RejectedExecutionException ended) {
                LOG.debug("peer at {}: its env is closed, nothing is read any more", remote);
            }
        }
    }

    private void resumeIfLow() {
        if (paused && waitingBytes.get() <= waitingBytesMax / 2) {
            paused = false;
            channel.config().setAutoRead(true);
        }
    }
}
