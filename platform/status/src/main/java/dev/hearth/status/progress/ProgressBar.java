package dev.hearth.status.progress;

import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Console progress bar of one application: a daemon thread rewrites one line of the terminal periodically.
 * {@link #clear} removes the line before other output. Guarded by its own lock; lives until it is closed.
 */
public final class ProgressBar implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressBar.class);

    private final ApplicationStatus status;
    private final OutputStream out;
    private final Ticker ticker;
    private final int width;
    private int shownCharacters;
    private boolean closed;

    ProgressBar(ApplicationStatus status, OutputStream out, Ticker ticker, int width) {
        this.status = status;
        this.out = out;
        this.ticker = ticker;
        this.width = width;
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
        ProgressBar bar = new ProgressBar(status, Terminal.standardError(), ticker, Terminal.columns(System.getenv()));
        Thread thread = new Thread(() -> bar.run(read.interval()), "hearth-progress");
        thread.setDaemon(true);
        thread.start();
        return Optional.of(bar);
    }

    /** Removes the progress line, so that further output begins on an empty line. Any thread may call. */
    public synchronized void clear() {
        if (shownCharacters > 0) {
            write("\r" + " ".repeat(shownCharacters) + "\r");
            shownCharacters = 0;
        }
    }

    @Override
    public synchronized void close() {
        clear();
        closed = true;
        notifyAll();
    }

    /**
     * Writes the current progress of the active stages to the terminal, or removes the progress line if there is
     * nothing to show.
     */
    synchronized void show() {
        if (closed) {
            return;
        }
        Optional<String> line = ProgressLine.of(
                ticker.wall().toEpochMilli(),
                status.activeStages(),
                status.application().hindrance(),
                width);
        if (line.isEmpty()) {
            clear();
            return;
        }
        String text = line.get();
        String rest = " ".repeat(Math.max(0, shownCharacters - text.length()));
        write("\r" + text + rest);
        shownCharacters = text.length();
    }

    private synchronized void run(Duration interval) {
        try {
            while (!closed) {
                wait(interval.toMillis());
                show();
            }
        } catch (InterruptedException interrupted) { // only foreign code interrupts this thread, to end it
            close();
        }
    }

    private void write(String text) {
        try {
            out.write(text.getBytes(Terminal.CHARSET));
            out.flush();
        } catch (IOException terminalClosed) {
            closed = true;
            LOG.debug("progress: standard error is closed", terminalClosed);
        }
    }
}
