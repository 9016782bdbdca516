package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the traffic of one connection and detects a dead peer. If nothing arrives for a third of the silence timeout,
 * it sends a ping. If nothing arrives for the whole timeout, it ends the connection. Any thread may read the counts;
 * everything else is owned by the channel's event loop.
 */
final class KeepAlive {
    private static final int CHECKS_PER_SILENCE = 3;

    private final NettyPeer peer;
    private final Channel channel;
    private final long silenceNanos;
    private final Ticker ticker;
    private final long sinceNanos;
    private final LongAdder messagesSent = new LongAdder(); // incremented by any thread
    private volatile long receivedNanos; // this field and the next two are written by the event loop only
    private volatile long bytesReceived;
    private volatile long messagesReceived;
    private @Nullable Future<?> nextCheck;

    KeepAlive(NettyPeer peer, Channel channel, Duration silence, Ticker ticker) {
        this.peer = peer;
        this.channel = channel;
        this.silenceNanos = silence.toNanos();
        this.ticker = ticker;
        this.sinceNanos = ticker.nanos();
        this.receivedNanos = sinceNanos;
    }

    void start() {
        scheduleCheck(silenceNanos / CHECKS_PER_SILENCE);
    }

    void stop() {
        if (nextCheck != null) {
            nextCheck.cancel(false);
        }
    }

    void read(int bytes) {
        receivedNanos = ticker.nanos();
        long before = bytesReceived;
        bytesReceived = before + bytes;
    }

    void received() {
        long before = messagesReceived;
        messagesReceived = before + 1;
    }

    void sent() {
        messagesSent.increment();
    }

    PeerState state(
            long id,
            String scope,
            String remote,
            String security,
            int asks,
            long bytesQueued,
            long bytesSent,
            boolean paused) {
        long now = ticker.nanos();
        return new PeerState(
                id,
                scope,
                Lane.MESSAGES,
                remote,
                security,
                TimeUnit.NANOSECONDS.toMillis(now - sinceNanos),
                TimeUnit.NANOSECONDS.toMillis(now - receivedNanos),
                asks,
                bytesQueued,
                messagesSent.sum(),
                messagesReceived,
                bytesSent,
                bytesReceived,
                paused);
    }

    /**
     * Ends the connection if nothing has arrived for the silence timeout, or sends a ping after a third of it. The next
     * check follows a third of the timeout later, or at the end of the timeout if that comes first.
     */
    private void check() {
        if (peer.backlog().isPaused()) {
            // Reading is paused, so silence says nothing about the peer, and this process does not see the peer's
            // pings. It sends a pong without a ping, which shows the peer that this process is alive.
            receivedNanos = ticker.nanos();
            peer.sendControl(MessageFrameKind.PONG);
        }
        long everyNanos = silenceNanos / CHECKS_PER_SILENCE;
        long silent = ticker.nanos() - receivedNanos;
        if (silent >= silenceNanos) {
            peer.silenceTimeout("no byte was received for " + TimeUnit.NANOSECONDS.toMillis(silent)
                    + " ms (expected: an answer to a ping within hearth.rpc.silenceTimeout = "
                    + TimeUnit.NANOSECONDS.toMillis(silenceNanos)
                    + " ms); is the network cut, or the other process stopped?");
            return;
        }
        if (silent >= everyNanos) {
            peer.sendControl(MessageFrameKind.PING);
        }
        if (!peer.isLost()) {
            scheduleCheck(Math.min(everyNanos, silenceNanos - silent));
        }
    }

    private void scheduleCheck(long nanos) {
        nextCheck = channel.eventLoop().schedule(this::check, Math.max(1, nanos), TimeUnit.NANOSECONDS);
    }
}
