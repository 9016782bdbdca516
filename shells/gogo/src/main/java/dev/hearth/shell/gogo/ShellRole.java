package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.CommandLoop.OnFailure;
import dev.hearth.shell.gogo.command.ClusterAccess;
import dev.hearth.shell.gogo.command.LineHistory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.shell.RemoteCommands;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/**
 * Runs the role {@code shell}, which runs the Hearth shell. Its lines come from a terminal, with history and
 * completion, or from a pipe, without a prompt.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=shell")
public final class ShellRole implements RoleMain {
    private static final String USAGE = """
            usage: hearth shell [--to HOST:PORT|ID] [--master URL] [--timeout TIME] [--width CHARACTERS] [--no-banner]
              --to HOST:PORT      run commands in the kernel that listens there
              --to ID[@MASTER]    run them in the driver of an application or a driver of a cluster; the id may be cut
              --master URL        the master that knows the id; the setting hearth.master
              --timeout TIME      maximum time of each command there; 1m from a pipe, else not limited
              --width CHARACTERS  width of tables without a terminal; not limited
              --no-banner         do not say at a terminal what this is; also hearth.shell.banner=false
            At a terminal: TAB completes, Ctrl-C clears the line or ends the command, Ctrl-D or exit ends.
            """;

    private final CommandProcessor processor;
    private final Optional<RemoteCommands> remote;
    private final ClusterAccess clusters;
    private final StopSignal stopping = new StopSignal();

    @Activate
    public ShellRole(
            @Reference CommandProcessor processor,
            @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable RemoteCommands remote,
            @Reference ClusterAccess clusters) {
        this.processor = processor;
        this.remote = Optional.ofNullable(remote);
        this.clusters = clusters;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        stopping.begin(Thread.currentThread());
        ShellArguments given = ShellArguments.parse("shell", launch.arguments(), launch.settings());
        if (given.help()) {
            launch.out().print(USAGE);
            return ExitStatus.of(ExitCode.OK);
        }
        if (!given.words().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("shell: '" + given.words().get(0)
                    + "' (expected: no command; it reads them); 'hearth exec' takes commands");
        }
        int status = StandardTerminal.isThere() ? atTerminal(given, launch) : fromPipe(given, launch);
        return stopping.isRequested() ? ExitStatus.of(ExitCode.TERMINATED) : new ExitStatus(status);
    }

    private int atTerminal(ShellArguments given, RoleLaunch launch) throws Exception {
        boolean colours = System.getenv("NO_COLOR") == null;
        SwitchableOutput output = new SwitchableOutput(launch.out());
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        try (CommandExecutor lines = CommandExecutorFactory.open(
                        given, processor, remote, clusters, out, launch.err(), colours, true);
                LocalCommandExecutor local = lines instanceof LocalCommandExecutor same
                        ? same
                        : new LocalCommandExecutor(processor, out, launch.err(), colours);
                TerminalInput input = TerminalInput.open(lines, given.to(), colours, stopping)) {
            local.define(LineHistory.VARIABLE, input.typed());
            if (given.banner()) {
                out.print(Banner.text(lines, given.to(), colours));
                out.flush();
            }
            CommandExecutor atTerminal = new TerminalExecutor(lines, local, output, input::page);
            return new CommandLoop(atTerminal, stopping, OnFailure.CONTINUE).run(input);
        }
    }

    private int fromPipe(ShellArguments given, RoleLaunch launch) throws Exception {
        try (CommandExecutor lines = CommandExecutorFactory.open(
                        given, processor, remote, clusters, launch.out(), launch.err(), false, false);
                OutputWidth width = OutputWidth.follow(given.width(), lines)) {
            return new CommandLoop(lines, stopping, OnFailure.CONTINUE).run(new PipedInput(System.in, width::columns));
        }
    }

    @Override
    public void stop() {
        stopping.request();
    }
}
