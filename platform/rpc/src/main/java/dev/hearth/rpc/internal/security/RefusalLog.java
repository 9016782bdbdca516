package dev.hearth.rpc.internal.security;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Tells of connections that were refused, so many lines a minute at most, as strangers could fill the log otherwise; the
 * first line after a silence says how many were left out. Its lock is itself; lives as long as its env.
 */
public final class RefusalLog {
    private static final int LINES_MAX = 20;
    private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();

    private final Consumer<String> log;
    private final Ticker ticker;
    private long windowNanos;
    private int lines;
    private long leftOut;

    public RefusalLog(Consumer<String> log, Ticker ticker) {
        this.log = log;
        this.ticker = ticker;
        this.windowNanos = ticker.nanos();
    }

    /** Notes one refusal. */
    public synchronized void refused(String reason) {
        long now = ticker.nanos();
        if (now - windowNanos >= WINDOW_NANOS) {
            windowNanos = now;
            lines = 0;
        }
        if (lines >= LINES_MAX) {
            leftOut++;
            return;
        }
        lines++;
        if (leftOut > 0) {
            log.accept("refused " + leftOut + " more connections than were told of here (expected: at most " + LINES_MAX
                    + " lines a minute)");
            leftOut = 0;
        }
        log.accept("refused a connection: " + reason);
    }
}
