package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.shell.gogo.command.RepeatedAnswer;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.shell.LineTerminal;
import dev.hearth.spi.shell.RemoteCommands;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs lines of the Hearth shell in another process. Connects again when that process was restarted, if it has a
 * {@link Reconnector}. A line that ran when the connection was lost is reported and never run twice. Used by the thread
 * that runs the shell, until the shell ends.
 */
final class RemoteCommandExecutor implements CommandExecutor {
    private static final int WIDTH_UNUSED = 80;
    private static final Duration ASK_WAIT = Duration.ofSeconds(2);
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,16}m");
    private static final Pattern COLOUR_OR_REDRAW =
            Pattern.compile(COLOUR.pattern() + "|" + Pattern.quote(RepeatedAnswer.CLEAR_SCREEN));
    /** Line whose user expects that the terminal is redrawn. */
    private static final Pattern WATCHES =
            Pattern.compile(".*\\s" + RepeatedAnswer.WATCH + "(?:\\s.*)?", Pattern.DOTALL);

    private final Optional<Reconnector> reconnector;
    private final PrintStream out;
    private final PrintStream err;
    private final Duration timeout;
    private final boolean colours;
    private RemoteCommands.Session session;
    private volatile @Nullable IntConsumer onResize; // of the line that runs

    RemoteCommandExecutor(
            RemoteCommands.Session session,
            Optional<Reconnector> reconnector,
            PrintStream out,
            PrintStream err,
            Duration timeout,
            boolean colours) {
        this.session = session;
        this.reconnector = reconnector;
        this.out = out;
        this.err = err;
        this.timeout = timeout;
        this.colours = colours;
    }

    @Override
    public int run(String line, int width) {
        try {
            if (reconnector.isPresent() && !session.isConnected() && !reconnect()) {
                return ExitCode.CLUSTER_LOST.status();
            }
            return session.run(line, new Output(line, width), timeout);
        } catch (HearthException failure) {
            if (reconnector.isPresent() && Failures.code(failure) == ErrorCode.PEER_LOST) {
                err.println("error: line '" + PrintableText.line(line)
                        + "': the connection was lost while it ran (expected: a connection until its end); it may or"
                        + " may not have been carried out, and is not run again");
                reconnect();
            } else if (Failures.code(failure) == ErrorCode.ASK_TIMED_OUT) {
                err.println(
                        "error: line '" + PrintableText.line(line) + "': no end within " + timeout.toMillis() + " ms"
                                + ", so it was interrupted (expected: an end within --timeout, or hearth.shell.timeout); set a"
                                + " longer one");
            } else {
                err.println("error: " + PrintableText.marked(String.valueOf(failure.getMessage())));
            }
            return CommandFailure.status(failure);
        } finally {
            onResize = null;
        }
    }

    private boolean reconnect() {
        Optional<RemoteCommands.Session> found = reconnector.flatMap(Reconnector::reconnect);
        found.ifPresent(next -> {
            session.close();
            session = next;
        });
        return found.isPresent();
    }

    @Override
    public String ask(String line) {
        try {
            return session.run(line, WIDTH_UNUSED, ASK_WAIT).output();
        } catch (HearthException unanswered) {
            return ""; // ignored, because the next command reports the same failure
        }
    }

    @Override
    public void resized(int width) {
        IntConsumer running = onResize;
        if (running != null) {
            running.accept(width);
        }
    }

    @Override
    public void close() {
        session.close();
    }

    /** Returns {@code text} with control characters replaced, but for line ends and what {@code allowed} matches. */
    private static String printable(String text, Pattern allowed) {
        StringBuilder printable = new StringBuilder();
        Matcher colour = allowed.matcher(text);
        int from = 0;
        while (colour.find()) {
            printable
                    .append(PrintableText.lines(text.substring(from, colour.start())))
                    .append(colour.group());
            from = colour.end();
        }
        return printable.append(PrintableText.lines(text.substring(from))).toString();
    }

    /** Output of the line that runs. The other process may not be ours, so its output is made printable. */
    private final class Output implements LineTerminal {
        private final Pattern allowed;
        private final int width;

        Output(String line, int width) {
            this.allowed = WATCHES.matcher(line).matches() ? COLOUR_OR_REDRAW : COLOUR;
            this.width = width;
        }

        @Override
        public int width() {
            return width;
        }

        @Override
        public boolean hasColours() {
            return colours;
        }

        @Override
        public void whenResized(IntConsumer action) {
            onResize = action;
        }

        @Override
        public void print(String text) {
            out.print(colours ? printable(text, allowed) : PrintableText.lines(text));
            out.flush();
        }

        @Override
        public void printError(String text) {
            err.print(PrintableText.lines(text));
            err.flush();
        }
    }
}
