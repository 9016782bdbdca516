package dev.hearth.kernel.internal.boot;

import java.util.List;

/**
 * Help of roles that start with launch orders and are not described in a table of options, because a bundle brings them.
 * Stateless.
 */
final class OrdersUsage {
    private OrdersUsage() {}

    static boolean isAsked(List<String> arguments) {
        return arguments.contains("--help") || arguments.contains("-h");
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
