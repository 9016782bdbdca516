package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.command.ClusterAccess;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.shell.RemoteCommands;
import dev.hearth.spi.time.Pauses;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;

/**
 * Creates the executor of the lines of a Hearth shell, either for this process or for the process that the option
 * {@code --to} names.
 */
final class CommandExecutorFactory {
    /** Time limit of a command at a terminal, whose user can end it by Ctrl-C. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private CommandExecutorFactory() {}

    static CommandExecutor open(
            ShellArguments given,
            CommandProcessor processor,
            Optional<RemoteCommands> remote,
            ClusterAccess clusters,
            PrintStream out,
            PrintStream err,
            boolean colours,
            boolean isInteractive) {
        if (given.to().isEmpty()) {
            return new LocalCommandExecutor(processor, out, err, colours);
        }
        RemoteCommands commands = remote.orElseThrow(() -> ErrorCode.NO_PROVIDER.failure(
                "--to " + given.to().get() + ": no service " + RemoteCommands.class.getSimpleName()
                        + " in this process (expected: one); is the bundle hearth-remote-shell in bundles/?"));
        RpcAddress to = given.to().get().resolve(clusters, processor);
        Optional<Reconnector> reconnector = isInteractive
                ? Optional.of(new Reconnector(() -> commands.open(to), Pauses.real(), err))
                : Optional.empty();
        Duration timeout = given.timeout().orElse(isInteractive ? UNLIMITED : ShellSettings.TIMEOUT_DEFAULT);
        return new RemoteCommandExecutor(commands.open(to), reconnector, out, err, timeout, colours);
    }
}
