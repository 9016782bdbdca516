package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.PrintableText;
import java.io.PrintStream;
import org.apache.felix.service.command.CommandProcessor;

/** Runs lines of the Hearth shell in this process. Used by the thread that runs the shell, until the shell ends. */
final class LocalCommandExecutor implements CommandExecutor {
    private static final int WIDTH_UNUSED = 80;

    private final CommandProcessor processor;
    private final GogoSession session;
    private final PrintStream err;

    LocalCommandExecutor(CommandProcessor processor, PrintStream out, PrintStream err, boolean colours) {
        this.processor = processor;
        this.session = new GogoSession(processor, out, err, colours);
        this.err = err;
    }

    @Override
    public int run(String line, int width) {
        try {
            session.run(line, width);
            return 0;
        } catch (HearthException failure) {
            err.println("error: " + PrintableText.marked(String.valueOf(failure.getMessage())));
            return CommandFailure.status(failure);
        }
    }

    @Override
    public String ask(String line) {
        return new CapturingCommandRunner(processor).run(line, WIDTH_UNUSED).output();
    }

    @Override
    public void resized(int width) {
        session.width(width);
    }

    /** Sets a variable that commands of this shell read. */
    void define(String variable, Object value) {
        session.put(variable, value);
    }

    @Override
    public void close() {
        session.close();
    }
}
