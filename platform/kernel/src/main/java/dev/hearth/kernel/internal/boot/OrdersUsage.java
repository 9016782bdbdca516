package dev.hearth.kernel.internal.boot;

import java.util.List;
import java.util.Map;

/** Help and command line of roles that start with launch orders. Stateless. */
final class OrdersUsage {
    /**
     * System property by which bin/hearth says that the processes which this one forks have a mark of their own in the
     * environment.
     */
    private static final String MARK = "hearth.childMark";

    private static final String MARK_VARIABLE = "HEARTH_CHILD";

    private OrdersUsage() {}

    static boolean isAsked(List<String> arguments) {
        return arguments.contains("--help") || arguments.contains("-h");
    }

    /** Whether the environment of this process marks the processes that it forks, and only these. */
    static boolean isMarked(Map<String, String> environment) {
        String mark = System.getProperty(MARK, "");
        return !mark.isEmpty() && mark.equals(environment.get(MARK_VARIABLE));
    }

    static String of(String role) {
        return """
                usage: hearth %s --orders FILE [--conf key=value...] [--properties-file FILE...]
                  Runs one %s with the launch orders of a cluster manager, without a parent process. Standard input
                  is not read. The process ends with its application, with its driver, or by a signal.
                  --orders FILE      file of mode 0600, or directory of such files, with a line key=value for each order
                                     and a last line with a single dot; or service, or service:NAME, for a bundle's
                  --conf key=value   setting of this machine; the orders override it
                  -h, --help         print this
                environment:
                  HEARTH_ORDERS      the same as --orders
                  HEARTH_JAVA_OPTS   options of the JVM, such as -Xmx2g
                  HEARTH_TMPDIR      directory for temporary files, if /tmp cannot be written to
                docs/extending.md lists the orders.
                """.formatted(role, role);
    }
}
