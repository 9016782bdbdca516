package dev.hearth.kernel.internal.process;

import java.util.ArrayList;
import java.util.List;

/** Words of the command line with which Java runs a role, in the order that Java expects. Immutable. */
record RoleCommand(String java, String home, String role) {
    /**
     * JVM options that send the JVM's own messages to standard error, as bin/hearth does. Standard output belongs to
     * the role.
     */
    private static final List<String> MESSAGES_TO_ERRORS =
            List.of("-XX:+DisplayVMOutputToStderr", "-Xlog:disable", "-Xlog:all=warning:stderr");

    private static final String MAIN_CLASS = "dev.hearth.kernel.Main";

    /** Returns the command with {@code options}, the JVM options of this start. */
    List<String> with(List<String> options) {
        return with(options, (home.endsWith("/") ? home : home + "/") + "lib/*");
    }

    /** Returns the command with {@code options} and {@code classPath}. */
    List<String> with(List<String> options, String classPath) {
        List<String> command = new ArrayList<>();
        command.add(java);
        command.addAll(MESSAGES_TO_ERRORS);
        // the process must write UTF-8, because the process that reads its output expects UTF-8
        command.add("-Dfile.encoding=UTF-8");
        command.addAll(options);
        command.add("-Dhearth.home=" + home);
        command.add("-cp");
        command.add(classPath);
        command.add(MAIN_CLASS);
        command.add(role);
        return command;
    }
}
