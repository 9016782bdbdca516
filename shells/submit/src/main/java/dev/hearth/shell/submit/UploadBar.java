package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.time.Ticker;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows at a terminal how much of a file was sent to the cluster, on one line that is drawn again and again and erased
 * before any other output. Uploads that end soon are not shown. Owned by the event loop of the submission.
 */
final class UploadBar implements SubmissionListener {
    private static final Duration HIDDEN = Duration.ofMillis(500); // at the beginning of each file
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final int COLUMNS_MAX = 79;
    private static final int BAR_COLUMNS = 20;
    private static final int NAME_COLUMNS_MAX = 24;
    private static final double MEBIBYTE = 1 << 20;
    private static final double SECOND_NANOS = 1e9;
    private static final int SECONDS_SHOWN_MAX = 120; // more are shown in minutes

    private final PrintStream err;
    private final SubmissionListener rest;
    private final Ticker ticker;
    private String name = "";
    private long firstNanos;
    private long firstBytes;
    private long drawnNanos;
    private int drawn; // columns of the line on the terminal

    /** Passes all other events to {@code rest}. */
    UploadBar(PrintStream err, SubmissionListener rest, Ticker ticker) {
        this.err = err;
        this.rest = rest;
        this.ticker = ticker;
    }

    @Override
    public void uploaded(String file, long sent, long bytes) {
        long now = ticker.nanos();
        if (!file.equals(name)) {
            name = file;
            firstNanos = now;
            firstBytes = sent;
            drawnNanos = now + HIDDEN.minus(INTERVAL).toNanos();
        }
        if (sent >= bytes) {
            erase();
            name = "";
        } else if (now - drawnNanos >= INTERVAL.toNanos()) {
            drawnNanos = now;
            draw(line(file, sent, bytes, (sent - firstBytes) / ((now - firstNanos) / SECOND_NANOS)));
        }
    }

    /** The line for a file of which {@code sent} of its {@code bytes} are sent, at a rate in bytes per second. */
    static String line(String name, long sent, long bytes, double rate) {
        int filled = (int) (BAR_COLUMNS * sent / Math.max(1, bytes));
        String bar = "=".repeat(filled) + (filled < BAR_COLUMNS ? ">" : "") + " ".repeat(BAR_COLUMNS);
        String shown = PrintableText.line(name);
        String line = String.format(
                Locale.ROOT,
                "%s [%s] %.0f of %.0f MiB",
                shown.substring(0, Math.min(shown.length(), NAME_COLUMNS_MAX)),
                bar.substring(0, BAR_COLUMNS),
                sent / MEBIBYTE,
                bytes / MEBIBYTE);
        if (rate > 0) {
            line += String.format(Locale.ROOT, ", %.1f MiB/s, %s left", rate / MEBIBYTE, left((bytes - sent) / rate));
        }
        return line.substring(0, Math.min(line.length(), COLUMNS_MAX));
    }

    private static String left(double seconds) {
        int minute = (int) Duration.ofMinutes(1).toSeconds();
        return seconds > SECONDS_SHOWN_MAX
                ? (long) Math.ceil(seconds / minute) + " min"
                : (long) Math.ceil(seconds) + " s";
    }

    private void draw(String line) {
        err.print("\r" + line + " ".repeat(Math.max(0, drawn - line.length())));
        err.flush();
        drawn = line.length();
    }

    private void erase() {
        if (drawn > 0) {
            err.print("\r" + " ".repeat(drawn) + "\r");
            err.flush();
            drawn = 0;
        }
    }

    @Override
    public void changed(SubmissionStatus status) {
        erase();
        rest.changed(status);
    }

    @Override
    public void said(String line) {
        erase();
        rest.said(line);
    }

    @Override
    public void wrote(String output) {
        erase();
        rest.wrote(output);
    }

    @Override
    public void lost(String reason) {
        erase();
        rest.lost(reason);
    }
}
