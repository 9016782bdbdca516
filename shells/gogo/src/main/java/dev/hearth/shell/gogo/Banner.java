package dev.hearth.shell.gogo;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** First lines of a shell at a terminal: which process runs its commands, and where help is. Stateless. */
final class Banner {
    private static final String HELP =
            "TAB completes, 'help' lists the commands, 'help COMMAND' explains one; Ctrl-D or 'exit' ends.";

    private Banner() {}

    /** Returns the banner for the process of {@code lines}, at the address {@code to} unless it is this process. */
    static String text(CommandExecutor lines, Optional<ShellTarget> to, boolean colours) {
        String facts = lines.ask("hearth:info --json");
        String bold = colours ? "\u001b[1m" : "";
        String plain = colours ? "\u001b[0m" : "";
        StringBuilder text = new StringBuilder(bold).append("Hearth").append(plain);
        field(facts, "version").ifPresent(version -> text.append(' ').append(version));
        field(facts, "role").ifPresent(role -> text.append(", role ").append(role));
        to.ifPresent(address -> text.append(" at ").append(address));
        field(facts, "process").ifPresent(process -> text.append(", process ").append(process));
        return text.append('\n').append(HELP).append('\n').toString();
    }

    private static Optional<String> field(String json, String name) {
        Matcher matcher = Pattern.compile('"' + name + "\":\"?([\\w.-]+)").matcher(json);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
