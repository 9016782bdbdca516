package dev.hearth.kernel;

import dev.hearth.kernel.internal.boot.FailureReport;
import dev.hearth.kernel.internal.boot.Home;
import dev.hearth.kernel.internal.boot.RoleProcess;
import dev.hearth.kernel.internal.boot.StandardStreams;
import dev.hearth.kernel.internal.boot.StartupTrace;
import java.util.List;

/** Starts this process in the role named by the first argument and exits with a documented status. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    /**
     * Runs the role and returns the exit status. Catches every failure, because an uncaught exception would leave the
     * threads of the OSGi framework running.
     */
    private static int run(List<String> arguments) {
        StartupTrace trace = StartupTrace.fromEnvironment(System.err);
        int status;
        try {
            trace.step("main");
            Home home = Home.locate();
            home.configureLogging(System.err);
            status =
                    new RoleProcess(home, new StandardStreams(System.in, System.out, System.err), trace).run(arguments);
        } catch (Throwable failure) {
            status = FailureReport.write(failure, System.err);
        }
        System.out.flush();
        System.err.flush();
        return status;
    }
}
