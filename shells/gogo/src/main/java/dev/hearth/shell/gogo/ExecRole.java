package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.CommandLoop.OnFailure;
import dev.hearth.shell.gogo.command.ClusterAccess;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.shell.RemoteCommands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/**
 * Runs the role {@code exec}, which runs the lines of the Hearth shell in its arguments, in a file or in its standard
 * input, in this or in another process. Exits with the status of the line that failed.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=exec")
public final class ExecRole implements RoleMain {
    /** System property that is true if standard input is a terminal; set by bin/hearth. */
    private static final String INPUT_TERMINAL = "hearth.stdin.terminal";

    private static final String STANDARD_INPUT = "-";

    private static final String USAGE = """
            usage: hearth exec [OPTION]... COMMAND [ARGUMENT]...
                   hearth exec [OPTION]... --command LINE...
                   hearth exec [OPTION]... [-f FILE] [<FILE]
              --to HOST:PORT      run the commands in the kernel that listens there
              --to ID[@MASTER]    run them in the driver of an application or a driver of a cluster; the id may be cut
              --master URL        the master that knows the id; the setting hearth.master
              -c, --command LINE  run this line; may be repeated
              -f, --file FILE     run the lines of this file; - is standard input
              -k, --keep-going    continue after a line that failed; its status is the exit status
              --timeout TIME      maximum time of each command there; 1m
              --width CHARACTERS  width of tables; that of the terminal, not limited in pipes and files
            A line may hold several commands with ; and pipes: hearth exec 'bundles | grep rpc; info'.
            hearth exec help lists the commands.
            """;

    private final CommandProcessor processor;
    private final Optional<RemoteCommands> remote;
    private final ClusterAccess clusters;
    private final StopSignal stopping = new StopSignal();

    @Activate
    public ExecRole(
            @Reference CommandProcessor processor,
            @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable RemoteCommands remote,
            @Reference ClusterAccess clusters) {
        this.processor = processor;
        this.remote = Optional.ofNullable(remote);
        this.clusters = clusters;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws IOException {
        stopping.begin(Thread.currentThread());
        ShellArguments given = ShellArguments.parse("exec", launch.arguments(), launch.settings());
        if (given.help()) {
            launch.out().print(USAGE);
            return ExitStatus.of(ExitCode.OK);
        }
        boolean colours = OutputWidth.isTerminal() && System.getenv("NO_COLOR") == null;
        OnFailure onFailure = given.keepGoing() ? OnFailure.REMEMBER : OnFailure.STOP;
        try (InputStream file = open(given);
                CommandExecutor lines = CommandExecutorFactory.open(
                        given, processor, remote, clusters, launch.out(), launch.err(), colours, false);
                OutputWidth width = OutputWidth.follow(given.width(), lines)) {
            LineInput input = given.lines().isEmpty()
                    ? new PipedInput(file, width::columns)
                    : LineInput.of(given.lines(), width::columns);
            int status = new CommandLoop(lines, stopping, onFailure).run(input);
            return stopping.isRequested() ? ExitStatus.of(ExitCode.TERMINATED) : new ExitStatus(status);
        }
    }

    /** Opens the file with the commands, which is empty if the arguments contain them. */
    private static InputStream open(ShellArguments given) throws IOException {
        if (!given.lines().isEmpty()) {
            return InputStream.nullInputStream();
        }
        if (given.file().isEmpty() && Boolean.getBoolean(INPUT_TERMINAL)) {
            throw ErrorCode.BAD_ARGUMENT.failure("exec: no command (expected: one, or lines of commands from standard"
                    + " input or -f FILE); 'hearth exec help' lists them, 'hearth shell' reads them from a terminal");
        }
        String name = given.file().orElse(STANDARD_INPUT);
        if (name.equals(STANDARD_INPUT)) {
            return System.in;
        }
        try {
            return Files.newInputStream(Path.of(name));
        } catch (NoSuchFileException | InvalidPathException missing) {
            throw ErrorCode.PATH_MISSING.failure("-f '" + name + "': no such file (expected: a file with commands)");
        }
    }

    @Override
    public void stop() {
        stopping.request();
    }
}
