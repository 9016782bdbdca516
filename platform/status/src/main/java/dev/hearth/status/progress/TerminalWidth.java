package dev.hearth.status.progress;

import dev.hearth.spi.role.ProcessSignals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Width of the terminal of this process, in columns. The command {@code stty} reads it when it is first needed, and
 * again after the signal of a change. Without that command, the variable COLUMNS counts, or else 80. Thread-safe.
 */
final class TerminalWidth implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalWidth.class);
    private static final List<String> COMMAND = List.of("sh", "-c", "stty size </dev/tty");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final int ANSWER_BYTES_MAX = 64;
    private static final int BOUND_SECONDS = 2;

    private final int otherwise;
    private @Nullable ProcessSignals signals; // received once the width is needed
    private volatile boolean changed = true;
    private int columns;

    TerminalWidth(Map<String, String> environment) {
        otherwise = Terminal.columns(environment);
        columns = otherwise;
    }

    /** The present width. */
    synchronized int columns() {
        if (signals == null) {
            signals = ProcessSignals.receive(
                    List.of("WINCH"),
                    name -> changed = true,
                    failure -> LOG.debug("terminal: changes of its size are not noticed", failure));
        }
        if (changed) {
            changed = false;
            columns = ask().orElse(otherwise);
        }
        return columns;
    }

    private static OptionalInt ask() {
        try {
            Process stty = new ProcessBuilder(COMMAND)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            stty.getOutputStream().close();
            String answer = new String(stty.getInputStream().readNBytes(ANSWER_BYTES_MAX), StandardCharsets.US_ASCII);
            if (!stty.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
            }
            return parse(answer);
        } catch (IOException noCommand) {
            LOG.debug("terminal: size unknown", noCommand);
            return OptionalInt.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    /** Columns in {@code answer}, the rows and columns that stty prints; empty if it is none or 0, as on a serial line. */
    static OptionalInt parse(String answer) {
        Matcher size = SIZE.matcher(answer);
        return size.matches() && Integer.parseInt(size.group(2)) > 0
                ? OptionalInt.of(Terminal.bounded(Integer.parseInt(size.group(2))))
                : OptionalInt.empty();
    }

    @Override
    public synchronized void close() {
        if (signals != null) {
            signals.close();
        }
    }
}
