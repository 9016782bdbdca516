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
 * What has come and gone over one connection, and whether it is alive: after a third of the silence allowed a ping is sent,
 * after all of it the peer is lost. Counts are read by anybody; the rest is owned by the channel's event loop.
 */
final class KeepAlive {
    private static final int LOOKS_PER_SILENCE = 3;

    private final NettyPeer peer;
    private final Channel channel;
    private final long silenceNanos;
    private final Ticker ticker;
    private final long sinceNanos;
    private final LongAdder messagesSent = new LongAdder(); // by any thread
    private volatile long heardNanos; // written by the event loop alone, like the two below
    private volatile long bytesReceived;
    private volatile long messagesReceived;
    private @Nullable Future<?> looking;

    KeepAlive(NettyPeer peer, Channel channel, Duration silence, Ticker ticker) {
        this.peer = peer;
        this.channel = channel;
        this.silenceNanos = silence.toNanos();
        this.ticker = ticker;
        this.sinceNanos = ticker.nanos();
        this.heardNanos = sinceNanos;
    }

    void start() {
        plan(silenceNanos / LOOKS_PER_SILENCE);
    }

    void stop() {
        if (looking != null) {
            looking.cancel(false);
        }
    }

    void read(int bytes) {
        heardNanos = ticker.nanos();
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
                TimeUnit.NANOSECONDS.toMillis(now - heardNanos),
                asks,
                bytesQueued,
                messagesSent.sum(),
                messagesReceived,
                bytesSent,
                bytesReceived,
                paused);
    }

    /** Looks again after a third of the silence allowed, or when all of it is over. */
    private void look() {
        if (peer.backlog().isPaused()) {
            heardNanos = ticker.nanos(); // it is we who do not listen,
            peer.sign(MessageFrameKind.PONG); // nor answer its pings, for which it is not to take us for dead
        }
        long everyNanos = silenceNanos / LOOKS_PER_SILENCE;
        long silent = ticker.nanos() - heardNanos;
        if (silent >= silenceNanos) {
            peer.silenceTimeout("nothing was heard from it for " + TimeUnit.NANOSECONDS.toMillis(silent)
                    + " ms (expected: an answer to a ping within hearth.rpc.silenceTimeout = "
                    + TimeUnit.NANOSECONDS.toMillis(silenceNanos)
                    + " ms); is the network cut, or the process stopped?");
            return;
        }
        if (silent >= everyNanos) {
            peer.sign(MessageFrameKind.PING);
        }
        if (!peer.isLost()) {
            plan(Math.min(everyNanos, silenceNanos - silent));
        }
    }

    private void plan(long nanos) {
        looking = channel.eventLoop().schedule(this::look, Math.max(1, nanos), TimeUnit.NANOSECONDS);
    }
}
