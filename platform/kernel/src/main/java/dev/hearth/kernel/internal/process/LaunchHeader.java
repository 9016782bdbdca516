package dev.hearth.kernel.internal.process;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** First lines of the error output of a child process: its command, if the user asks for it. Stateless. */
final class LaunchHeader {
    private static final List<String> VARIABLES = List.of("HEARTH_PRINT_LAUNCH_COMMAND", "SPARK_PRINT_LAUNCH_COMMAND");
    /** Pattern of an option with a secret; its first group is shown. */
    private static final Pattern SECRET =
            Pattern.compile("(?is)([^=]*(?:secret|password|token|access[._]?key)[^=]*=).*");

    private static final String EXECUTOR = "executor";
    private static final int RULE_LENGTH = 40;

    private LaunchHeader() {}

    /** The lines about {@code command}, as Spark's workers write them; empty unless {@code environment} asks for them. */
    static Optional<String> requested(Map<String, String> environment, String role, List<String> command) {
        boolean asked = VARIABLES.stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
        if (!asked) {
            return Optional.empty();
        }
        String words = command.stream().map(LaunchHeader::shown).collect(Collectors.joining(" "));
        String title = role.equals(EXECUTOR) ? "Spark Executor Command: " : "Launch Command: ";
        return Optional.of(title + words + "\n" + "=".repeat(RULE_LENGTH) + "\n\n");
    }

    private static String shown(String word) {
        return '"' + SECRET.matcher(word).replaceFirst("$1*********(redacted)") + '"';
    }
}
