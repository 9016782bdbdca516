package dev.hearth.kernel;

import dev.hearth.kernel.internal.boot.ArchiveCommand;
import dev.hearth.kernel.internal.boot.FailureReport;
import dev.hearth.kernel.internal.boot.Home;
import dev.hearth.kernel.internal.boot.InstallationFlags;
import dev.hearth.kernel.internal.boot.InstallationRoles;
import dev.hearth.kernel.internal.boot.RoleProcess;
import dev.hearth.kernel.internal.boot.StandardStreams;
import dev.hearth.kernel.internal.boot.StartupTrace;
import java.util.List;
import java.util.Optional;

/** Starts this process in the role named by the first argument and exits with a documented status. */
public final class Main {
    /** Argument with which the scripts in bin/ ask for the flags of submissions; no role runs then. */
    private static final List<String> FLAGS = List.of("--flags");

    /** Argument that prints the roles of this installation, for the help of bin/hearth. */
    private static final List<String> ROLES = List.of("--roles");

    /** Argument that prints the options of the roles of all bundles, for the help and the completion of bin/. */
    private static final List<String> ROLE_LINES = List.of("--role-lines");

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    /**
     * Runs the role and returns the exit status. Catches every failure, because an uncaught exception would leave the
     * threads of the OSGi framework running.
     */
    private static int run(List<String> arguments) {
        StandardStreams streams = StandardStreams.keepingFailures(System.in, System.err);
        System.setOut(streams.out());
        StartupTrace trace = StartupTrace.fromEnvironment(streams.err());
        Optional<RoleProcess> process = Optional.empty();
        int status;
        try {
            trace.step("main");
            Home home = Home.locate();
            if (arguments.equals(FLAGS)) {
                InstallationFlags.lines(home, System.getenv()).forEach(streams.out()::println);
                return streams.finish(0);
            }
            if (arguments.equals(ROLES)) {
                home.roles().printAvailable(streams.out());
                return streams.finish(0);
            }
            if (arguments.equals(ROLE_LINES)) {
                InstallationRoles.lines(home.roles().bundles()).forEach(streams.out()::println);
                return streams.finish(0);
            }
            home.configureLogging(streams.err());
            if (!arguments.isEmpty() && arguments.get(0).equals(ArchiveCommand.NAME)) {
                ArchiveCommand.run(home, arguments.subList(1, arguments.size()), streams.out());
                return streams.finish(0);
            }
            RoleProcess role = new RoleProcess(home, streams, trace);
            process = Optional.of(role);
            status = role.run(arguments);
        } catch (Throwable failure) {
            status = FailureReport.write(failure, streams.err());
        }
        status = streams.finish(status);
        streams.err().flush();
        process.ifPresent(RoleProcess::awaitOtherEnd);
        return status;
    }
}
