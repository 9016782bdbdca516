package dev.hearth.shell.gogo;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the lines of a shell at a terminal. Commands that concern the terminal run in this process even if the others
 * run in another one, and the output of a line that ends with {@code | less} goes to the pager. Used by the shell's
 * thread.
 */
final class TerminalExecutor implements CommandExecutor {
    private static final int PAGED_BYTES_MAX = 16 * 1024 * 1024;
    private static final Set<String> OF_TERMINAL = Set.of("history", "clear", "hearth:history", "hearth:clear");
    private static final Pattern PAGED = Pattern.compile("(.+)\\|\\s*(?:hearth:)?less\\s*", Pattern.DOTALL);

    private final CommandExecutor lines;
    private final LocalCommandExecutor local;
    private final SwitchableOutput output;
    private final Consumer<String> pager;

    TerminalExecutor(
            CommandExecutor lines, LocalCommandExecutor local, SwitchableOutput output, Consumer<String> pager) {
        this.lines = lines;
        this.local = local;
        this.output = output;
        this.pager = pager;
    }

    @Override
    public int run(String line, int width) {
        Optional<String> paged = paged(line);
        if (paged.isEmpty()) {
            return owner(line).run(line, width);
        }
        BoundedOutput kept = new BoundedOutput(PAGED_BYTES_MAX);
        int status;
        output.to(kept);
        try {
            status = owner(line).run(paged.get(), width);
        } finally {
            output.toUsual();
        }
        if (!kept.text().isEmpty()) {
            pager.accept(kept.text());
        }
        return status;
    }

    /** Returns the part of {@code line} whose output is to be paged; empty if the line does not end with the pager. */
    static Optional<String> paged(String line) {
        Matcher matcher = PAGED.matcher(line);
        return matcher.matches() && !CommandFailure.isUnfinished(matcher.group(1))
                ? Optional.of(matcher.group(1))
                : Optional.empty();
    }

    private CommandExecutor owner(String line) {
        return OF_TERMINAL.contains(line.strip().split("[\\s|;]", 2)[0]) ? local : lines;
    }

    @Override
    public String ask(String line) {
        return lines.ask(line);
    }

    @Override
    public void resized(int width) {
        lines.resized(width);
    }

    @Override
    public void close() {
        local.close();
        lines.close();
    }
}
