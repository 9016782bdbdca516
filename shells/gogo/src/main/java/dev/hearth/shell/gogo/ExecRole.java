package dev.hearth.shell.gogo;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.shell.RemoteCommands;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/**
 * Runs the role {@code exec}, which runs the lines of the Hearth shell in its arguments, in this or in another process.
 * Exits with the status of the first line that fails.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=exec")
public final class ExecRole implements RoleMain {
    private static final String USAGE = """
            usage: hearth exec [--to HOST:PORT] [--timeout TIME] [--width CHARACTERS] 'COMMAND'...
              --to HOST:PORT      run the commands in the kernel that listens there
              --timeout TIME      maximum time of each command there; 1m
              --width CHARACTERS  width of tables; 80
            hearth exec help lists the commands.
            """;

    private final CommandProcessor processor;
    private final Optional<RemoteCommands> remote;
    private final StopSignal stopping = new StopSignal();

    @Activate
    public ExecRole(
            @Reference CommandProcessor processor,
            @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable RemoteCommands remote) {
        this.processor = processor;
        this.remote = Optional.ofNullable(remote);
    }

    @Override
    public ExitStatus run(RoleLaunch launch) {
        stopping.begin(Thread.currentThread());
        ShellArguments given = ShellArguments.parse("exec", launch.arguments(), launch.settings());
        if (given.help()) {
            launch.out().print(USAGE);
            return ExitStatus.of(ExitCode.OK);
        }
        if (given.lines().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "exec: no command (expected: one or more, each in quotes); 'hearth exec help' lists them");
        }
        try (CommandExecutor lines = CommandExecutorFactory.open(given, processor, remote, launch, false)) {
            for (String line : given.lines()) {
                int status = lines.run(line, given.width());
                if (stopping.isRequested()) {
                    return ExitStatus.of(ExitCode.TERMINATED);
                }
                if (status != 0) {
                    return new ExitStatus(status);
                }
            }
            return ExitStatus.of(ExitCode.OK);
        }
    }

    @Override
    public void stop() {
        stopping.request();
    }
}
