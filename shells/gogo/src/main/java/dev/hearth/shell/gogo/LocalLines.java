package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import java.io.PrintStream;
import org.apache.felix.service.command.CommandProcessor;

/** Runs command lines in this process. Used by the thread of a role; ends with it. */
final class LocalLines implements Lines {
    private static final int WIDTH_UNUSED = 80;

    private final CommandProcessor processor;
    private final Session session;
    private final PrintStream err;

    LocalLines(CommandProcessor processor, PrintStream out, PrintStream err, boolean colours) {
        this.processor = processor;
        this.session = new Session(processor, out, err, colours);
        this.err = err;
    }

    @Override
    public int run(String line, int width) {
        try {
            session.run(line, width);
            return 0;
        } catch (Exception | StackOverflowError | LinkageError failure) { // a failed command must not end the shell
            HearthException known = LineFailure.of(line, failure);
            err.println("error: " + known.getMessage());
            return LineFailure.status(known);
        }
    }

    @Override
    public String ask(String line) {
        return new CapturedLines(processor).run(line, WIDTH_UNUSED).output();
    }

    @Override
    public void close() {
        session.close();
    }
}
