package dev.hearth.yarn.internal.launch;

import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.exit.ExitNote;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Command that starts Java in a container. A preamble ends the process with {@code START_FAILED} and a sentence if the node
 * has no Java, or one that is too old; it reads the version from the file {@code release} of the Java installation,
 * because a start of Java costs a tenth of a second. Pure.
 */
public final class ContainerCommand {
    /** Java of the node, which its NodeManager names. */
    private static final String JAVA_OF_NODE = "{{JAVA_HOME}}";

    private static final int JAVA_LEAST = 17;
    private static final String REMEDY = "set hearth.yarn.java.home to the directory of a newer one on the nodes";

    private ContainerCommand() {}

    /**
     * The command for a launch context: {@code words}, whose first word is replaced by the path of Java in {@code
     * javaHome}, or in the Java installation of the node. Standard output and errors go to the log directory.
     */
    static List<String> of(List<String> words, Optional<String> javaHome) {
        return of(javaHome, "exec " + java(words));
    }

    /**
     * As {@link #of(List, Optional)}. If the process leaves an {@link ExitNote}, another one follows with the command {@code
     * afterExit}, which finds the status of the first in a variable.
     */
    static List<String> of(List<String> words, List<String> afterExit, Optional<String> javaHome) {
        return of(
                javaHome,
                java(words) + "; s=$?; if [ -e " + ExitNote.FILE + " ]; then " + ExitNote.STATUS + "=$s "
                        + java(afterExit) + "; fi; exit $s");
    }

    /** Name of the empty log that says which executor a container is. */
    public static String mark(ExecutorId executor) {
        return "executor-" + executor;
    }

    /** As {@code command}, in a container that also has an empty log of the name {@code log}. */
    static List<String> marked(List<String> command, String log) {
        return List.of(": > '<LOG_DIR>/" + log + "'; " + String.join(" ", command));
    }

    private static String java(List<String> words) {
        return "\"$j/bin/java\" " + words.stream().skip(1).map(ScriptText::word).collect(Collectors.joining(" "));
    }

    private static List<String> of(Optional<String> javaHome, String command) {
        String home = javaHome.orElse(JAVA_OF_NODE);
        String script = "j=" + ScriptText.word(home)
                + "; mkdir -p tmp; exec 1>'<LOG_DIR>/stdout' 2>'<LOG_DIR>/stderr'; "
                + "v=$(sed -n 's/^JAVA_VERSION=.\\([0-9]*\\).*/\\1/p' \"$j/release\" 2>/dev/null); "
                + "if [ ! -x \"$j/bin/java\" ]; then echo " + ScriptText.word(problem("no bin/java")) + " >&2; exit "
                + ExitCode.START_FAILED.status() + "; fi; "
                + "if [ \"${v:-" + JAVA_LEAST + "}\" -lt " + JAVA_LEAST + " ]; then echo "
                + ScriptText.word(problem("Java ")) + "\"$v\" >&2; exit " + ExitCode.START_FAILED.status() + "; fi; "
                + command;
        // the name of the node's variable must stay readable for the NodeManager, which turns it into $JAVA_HOME
        return List.of(ScriptText.inDoubleQuotes(script));
    }

    private static String problem(String found) {
        return "error: Java of this node: (expected: Java " + JAVA_LEAST + " or later; " + REMEDY + "): " + found;
    }
}
