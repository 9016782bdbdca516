package dev.hearth.shell.gogo;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shell.RemoteCommands;
import java.io.PrintStream;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;

/**
 * Creates the executor of the lines of a Hearth shell, either for this process or for the process that the option
 * {@code --to} names.
 */
final class CommandExecutorFactory {
    private CommandExecutorFactory() {}

    static CommandExecutor open(
            ShellArguments given,
            CommandProcessor processor,
            Optional<RemoteCommands> remote,
            PrintStream out,
            PrintStream err,
            boolean colours) {
        if (given.to().isEmpty()) {
            return new LocalCommandExecutor(processor, out, err, colours);
        }
        RemoteCommands commands = remote.orElseThrow(() -> ErrorCode.NO_PROVIDER.failure(
                "--to " + given.to().get() + ": no service " + RemoteCommands.class.getSimpleName()
                        + " in this process (expected: one); is the bundle hearth-remote-shell in bundles/?"));
        return new RemoteCommandExecutor(commands.open(given.to().get()), out, err, given.timeout());
    }
}
