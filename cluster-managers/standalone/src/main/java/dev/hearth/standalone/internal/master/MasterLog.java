package dev.hearth.standalone.internal.master;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;

/**
 * Log lines about what peers do, with a bound for each cause, as peers could fill the log otherwise. The first line
 * after a pause states how many were omitted. Owned by {@link MasterShell}.
 */
final class MasterLog {
    private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private final Ticker ticker;
    private final Map<Cause, Window> windows = new EnumMap<>(Cause.class);

    /**
     * Creates a log whose lines are written to {@code log}, up to the maximum number per minute that each {@link Cause}
     * has.
     */
    MasterLog(Logger log, Ticker ticker) {
        this.log = log;
        this.ticker = ticker;
    }

    /** Kind of event that the master logs, with the maximum number of log lines of that kind per minute. */
    enum Cause {
        WORKER_REFUSED(20),
        WORKER(1_000),
        DRIVER(1_000),
        APPLICATION(1_000),
        EXECUTOR(1_000);

        private final int linesMax;

        Cause(int linesMax) {
            this.linesMax = linesMax;
        }
    }

    private static final class Window {
        private long startNanos;
        private int lines;
        private long omitted;
    }

    /**
     * Logs a line, unless the lines of {@code cause} have reached their maximum in the current minute; then only counts
     * it as omitted.
     */
    void info(Cause cause, String format, Object... values) {
        if (isWithinBound(cause)) {
            log.info(format, values);
        }
    }

    /** As {@link #info}, with a warning. */
    void warn(Cause cause, String text) {
        if (isWithinBound(cause)) {
            log.warn(text);
        }
    }

    private boolean isWithinBound(Cause cause) {
        long now = ticker.nanos();
        Window window = windows.computeIfAbsent(cause, first -> new Window());
        if (window.lines == 0 || now - window.startNanos >= WINDOW_NANOS) {
            window.startNanos = now;
            window.lines = 0;
        }
        if (window.lines >= cause.linesMax) {
            window.omitted++;
            return false;
        }
        window.lines++;
        if (window.omitted > 0) {
            log.info(
                    "{} more lines of the cause {} are not logged here (expected: at most {} a minute)",
                    window.omitted,
                    cause,
                    cause.linesMax);
            window.omitted = 0;
        }
        return true;
    }
}
