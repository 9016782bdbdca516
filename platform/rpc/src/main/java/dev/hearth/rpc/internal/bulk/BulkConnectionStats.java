package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.time.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Identity and counters of one end of a bulk connection. Written by the connection's event loop; any thread may read
 * them and take a snapshot.
 */
final class BulkConnectionStats {
    private final long id;
    private final String remote;
    private final String security;
    private final Ticker ticker;
    private final BulkFrameDecoder decoder;
    private final long openedNanos;
    private final AtomicLong receivedBytes = new AtomicLong();
    private volatile @Nullable SendWindow window; // null until the connection's handler is in its pipeline
    private volatile long activeNanos;
    private volatile int underWay;
    private volatile boolean paused;

    BulkConnectionStats(String remote, String security, BulkServices services, BulkFrameDecoder decoder) {
        this.id = services.ids().getAsLong();
        this.remote = remote;
        this.security = security;
        this.ticker = services.ticker();
        this.decoder = decoder;
        this.openedNanos = ticker.nanos();
        this.activeNanos = openedNanos;
    }

    /**
     * Sets the send window of the channel, whose counts of sent and queued bytes the snapshot then includes. Called
     * once.
     */
    void attach(SendWindow opened) {
        window = opened;
    }

    SendWindow window() {
        SendWindow attached = window;
        if (attached == null) {
            throw new IllegalStateException("bulk connection to " + remote + ": not in a pipeline yet");
        }
        return attached;
    }

    void received(int bytes) {
        touch();
        receivedBytes.addAndGet(bytes);
    }

    /** Restarts the measured idle time. Called when the connection was used. */
    void touch() {
        activeNanos = ticker.nanos();
    }

    long idleNanos() {
        return ticker.nanos() - activeNanos;
    }

    /** Sets the number of unfinished requests on the connection. */
    void setUnderWay(int requests) {
        underWay = requests;
    }

    /** Sets whether reading from the connection is paused. */
    void setPaused(boolean value) {
        paused = value;
    }

    boolean isPaused() {
        return paused;
    }

    BulkSnapshot snapshot() {
        SendWindow attached = window;
        return new BulkSnapshot(
                id,
                remote,
                security,
                TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - openedNanos),
                TimeUnit.NANOSECONDS.toMillis(idleNanos()),
                underWay,
                attached == null ? 0 : attached.queuedBytes(),
                attached == null ? 0 : attached.sentFrames(),
                decoder.frames(),
                attached == null ? 0 : attached.sentBytes(),
                receivedBytes.get(),
                paused);
    }
}
