package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.shell.CommandRunner;
import dev.hearth.spi.shell.LineTerminal;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Runs lines of the Hearth shell for other code of this process, such as the remote shell. Each line runs in a new
 * shell session. Its output is passed on as it is printed, or captured up to a size limit.
 */
@Component(service = CommandRunner.class)
public final class CapturingCommandRunner implements CommandRunner {
    private static final int OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
    private static final int ERROR_BYTES_MAX = 64 * 1024;

    private final CommandProcessor processor;

    @Activate
    public CapturingCommandRunner(@Reference CommandProcessor processor) {
        this.processor = processor;
    }

    @Override
    public CommandResult run(String line, int width) {
        BoundedOutput output = new BoundedOutput(OUTPUT_BYTES_MAX);
        BoundedOutput errors = new BoundedOutput(ERROR_BYTES_MAX);
        try (GogoSession session = new GogoSession(processor, output, errors, false)) {
            session.run(line, width);
            return new CommandResult(0, output.text(), errors.text());
        } catch (HearthException failure) {
            if (failure.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // sets the interrupt flag again for the caller
            }
            return new CommandResult(
                    CommandFailure.status(failure),
                    output.text(),
                    errors.text() + "error: " + PrintableText.marked(String.valueOf(failure.getMessage())) + "\n");
        }
    }

    @Override
    public int run(String line, LineTerminal terminal) {
        DecodedOutput output = new DecodedOutput(terminal::print);
        DecodedOutput errors = new DecodedOutput(terminal::printError);
        try (GogoSession session = new GogoSession(processor, output, errors, terminal.hasColours())) {
            terminal.whenResized(session::width);
            session.run(line, terminal.width());
            return 0;
        } catch (HearthException failure) {
            terminal.printError("error: " + PrintableText.marked(String.valueOf(failure.getMessage())) + "\n");
            return CommandFailure.status(failure);
        }
    }
}
