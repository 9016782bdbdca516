package dev.hearth.spi.role;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Width of the terminal of this process, in columns. The command {@code stty} reads it when it is first needed, and
 * again after the signal of a change. Without that command, the variable COLUMNS counts, or else 80. Thread-safe.
 */
public final class TerminalWidth implements AutoCloseable {
    private static final List<String> COMMAND = List.of("sh", "-c", "stty size </dev/tty");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final int ANSWER_BYTES_MAX = 64;
    private static final int BOUND_SECONDS = 2;
    private static final int COLUMNS_DEFAULT = 80;
    private static final int COLUMNS_MIN = 20;
    private static final int COLUMNS_MAX = 1000;

    private final int otherwise;
    private final Consumer<Exception> unavailable;
    private @Nullable ProcessSignals signals; // received once the width is needed
    private volatile boolean changed = true;
    private volatile IntConsumer whenChanged = width -> {};
    private volatile boolean isFollowed;
    private int columns;

    /**
     * {@code environment} is that of the process, whose variable COLUMNS counts if the terminal cannot be asked. {@code
     * unavailable} is called if the size or its changes cannot be found out.
     */
    public TerminalWidth(Map<String, String> environment, Consumer<Exception> unavailable) {
        this.unavailable = unavailable;
        otherwise = ofVariable(environment);
        columns = otherwise;
    }

    /** The present width. */
    public synchronized int columns() {
        listen();
        if (changed) {
            changed = false;
            columns = ask().orElse(otherwise);
        }
        return columns;
    }

    /** Calls {@code action} with the new width after each change, on a thread of the JVM. */
    public synchronized void follow(IntConsumer action) {
        whenChanged = action;
        isFollowed = true;
        listen();
    }

    private void listen() {
        if (signals == null) {
            signals = ProcessSignals.receive(List.of("WINCH"), name -> noteChange(), unavailable);
        }
    }

    private void noteChange() {
        changed = true;
        if (isFollowed) {
            whenChanged.accept(columns());
        }
    }

    private OptionalInt ask() {
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
            unavailable.accept(noCommand);
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
                ? OptionalInt.of(bounded(Integer.parseInt(size.group(2))))
                : OptionalInt.empty();
    }

    static int ofVariable(Map<String, String> environment) {
        try {
            return bounded(Integer.parseInt(environment.getOrDefault("COLUMNS", "")));
        } catch (NumberFormatException unset) {
            return COLUMNS_DEFAULT;
        }
    }

    private static int bounded(int columns) {
        return Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, columns));
    }

    @Override
    public synchronized void close() {
        if (signals != null) {
            signals.close();
        }
    }
}
