package dev.hearth.rpc.internal.security;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Logs refused connections, with a bound on lines per minute, so that strangers cannot flood the log. The first line
 * after a pause states how many lines were omitted. Guarded by its own lock; lives as long as its RPC environment.
 */
public final class RefusalLog {
    private static final int LINES_MAX = 20;
    private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();

    private final Consumer<String> log;
    private final Ticker ticker;
    private long windowNanos;
    private int lines;
    private long omitted;

    public RefusalLog(Consumer<String> log, Ticker ticker) {
        this.log = log;
        this.ticker = ticker;
        this.windowNanos = ticker.nanos();
    }

    /** Logs the refusal of one connection. Only counts it if the maximum number of lines per minute is reached. */
    public synchronized void refused(String reason) {
        long now = ticker.nanos();
        if (now - windowNanos >= WINDOW_NANOS) {
            windowNanos = now;
            lines = 0;
        }
        if (lines >= LINES_MAX) {
            omitted++;
            return;
        }
        lines++;
        if (omitted > 0) {
            log.accept("refused " + omitted + " more connections that are not logged here (expected: at most "
                    + LINES_MAX + " lines a minute)");
            omitted = 0;
        }
        log.accept("refused a connection: " + reason);
    }
}
