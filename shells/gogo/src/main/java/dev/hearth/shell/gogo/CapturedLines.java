package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.spi.shell.CommandRunner;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Runs lines for others of this process, each in a session of its own, and keeps what it writes, up to a bound. */
@Component(service = CommandRunner.class)
public final class CapturedLines implements CommandRunner {
    private static final int OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
    private static final int ERROR_BYTES_MAX = 64 * 1024;

    private final CommandProcessor processor;

    @Activate
    public CapturedLines(@Reference CommandProcessor processor) {
        this.processor = processor;
    }

    @Override
    public CommandResult run(String line, int width) {
        BoundedOutput output = new BoundedOutput(OUTPUT_BYTES_MAX);
        BoundedOutput errors = new BoundedOutput(ERROR_BYTES_MAX);
        try (Session session = new Session(processor, output, errors, false)) {
            session.run(line, width);
            return new CommandResult(0, output.text(), errors.text());
        } catch (Exception | StackOverflowError | LinkageError failure) { // the line's fault, not the shell's end
            HearthException told = LineFailure.of(line, failure);
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // whoever wanted the end may want more than this line's
            }
            return new CommandResult(
                    LineFailure.status(told), output.text(), errors.text() + "error: " + told.getMessage() + "\n");
        }
    }
}
