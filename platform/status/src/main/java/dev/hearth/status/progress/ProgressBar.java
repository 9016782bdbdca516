package dev.hearth.status.progress;

import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.role.TerminalWidth;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Console progress bar of one application: a daemon thread rewrites one line of the terminal periodically. Other output
 * of the process clears that line first. Guarded by its own lock; lives until it is closed.
 */
public final class ProgressBar implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressBar.class);

    private final ApplicationStatus status;
    private final TerminalLine line;
    private final Ticker ticker;
    private final IntSupplier width;
    private final AutoCloseable widthSource;
    private boolean closed;

    /** Draws on {@code line}; {@code width} returns the columns of the terminal. */
    ProgressBar(
            ApplicationStatus status, TerminalLine line, Ticker ticker, IntSupplier width, AutoCloseable widthSource) {
        this.status = status;
        this.line = line;
        this.ticker = ticker;
        this.width = width;
        this.widthSource = widthSource;
        line.attach();
    }

    /**
     * Starts a progress bar on standard error. Returns empty, and starts no thread, if standard error is not a terminal
     * or the progress bar is disabled.
     */
    public static Optional<ProgressBar> start(Settings settings, ApplicationStatus status, Ticker ticker) {
        ProgressSettings read = ProgressSettings.from(settings);
        if (!read.shown() || !Terminal.isTerminal(System.getProperty(Terminal.PROPERTY))) {
            return Optional.empty();
        }
        TerminalWidth width = new TerminalWidth(
                System.getenv(), failure -> LOG.debug("terminal: its size or changes of it are unknown", failure));
        ProgressBar bar = new ProgressBar(status, TerminalLine.OF_PROCESS, ticker, width::columns, width);
        Thread thread = new Thread(() -> bar.run(read.interval()), "hearth-progress");
        thread.setDaemon(true);
        thread.start();
        return Optional.of(bar);
    }

    /** Removes the progress line, so that further output begins on an empty line. Any thread may call. */
    public void clear() {
        line.clear();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            notifyAll();
        }
        line.detach();
        try {
            widthSource.close();
        } catch (Exception failure) {
            LOG.debug("progress: signals are not given back", failure);
        }
    }

    /**
     * Writes the current progress of the active stages to the terminal, or removes the progress line if there is
     * nothing to show.
     */
    synchronized void show() {
        if (closed) {
            return;
        }
        ProgressLine now = new ProgressLine(ticker.wall().toEpochMilli(), ExecutorSupply.of(status));
        if (!now.isShown(status.activeStages())) {
            line.clear();
            return;
        }
        int columns = width.getAsInt(); // read only now, because it may start a process
        line.narrow(columns);
        now.of(status.activeStages(), columns).ifPresentOrElse(line::draw, line::clear);
    }

    private synchronized void run(Duration interval) {
        try {
            while (!closed) {
                wait(interval.toMillis());
                show();
                if (line.isBroken()) {
                    LOG.debug("progress: standard error is closed");
                    return;
                }
            }
        } catch (InterruptedException interrupted) { // only foreign code interrupts this thread, to end it
            LOG.debug("progress: interrupted", interrupted);
        }
    }
}
