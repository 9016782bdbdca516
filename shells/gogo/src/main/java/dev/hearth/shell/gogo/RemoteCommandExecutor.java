package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import dev.hearth.spi.shell.RemoteCommands;
import java.io.PrintStream;
import java.time.Duration;

/** Runs lines of the Hearth shell in another process. Used by the thread that runs the shell, until the shell ends. */
final class RemoteCommandExecutor implements CommandExecutor {
    private static final int WIDTH_UNUSED = 80;
    private static final Duration ASK_WAIT = Duration.ofSeconds(2);

    private final RemoteCommands.Session session;
    private final PrintStream out;
    private final PrintStream err;
    private final Duration timeout;

    RemoteCommandExecutor(RemoteCommands.Session session, PrintStream out, PrintStream err, Duration timeout) {
        this.session = session;
        this.out = out;
        this.err = err;
        this.timeout = timeout;
    }

    @Override
    public int run(String line, int width) {
        try {
            CommandResult result = session.run(line, width, timeout);
            out.print(PrintableText.lines(result.output())); // the other process may not be ours
            out.flush();
            err.print(PrintableText.lines(result.errors()));
            err.flush();
            return result.status();
        } catch (HearthException failure) {
            err.println("error: " + PrintableText.marked(String.valueOf(failure.getMessage())));
            return CommandFailure.status(failure);
        }
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
    public void close() {
        session.close();
    }
}
