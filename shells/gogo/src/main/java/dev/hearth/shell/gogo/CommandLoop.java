package dev.hearth.shell.gogo;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and runs lines of the Hearth shell until the input ends, {@code exit} is read, or the process stops. */
final class CommandLoop {
    private static final Pattern EXIT =
            Pattern.compile("(?:exit|quit)(?:\\s+(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5]))?");

    private final CommandExecutor lines;
    private final StopSignal stopping;

    CommandLoop(CommandExecutor lines, StopSignal stopping) {
        this.lines = lines;
        this.stopping = stopping;
    }

    /**
     * Runs the shell lines of {@code input} until its end. Returns the status given to the command {@code exit},
     * otherwise the status of the last line.
     */
    int run(LineInput input) throws IOException {
        int status = 0;
        StringBuilder begun = new StringBuilder(); // an incomplete line
        try {
            for (Optional<String> next = input.next();
                    next.isPresent() && !stopping.isRequested();
                    next = following(input)) {
                String line = begun.append(next.get()).toString();
                if (CommandFailure.isUnfinished(line)) {
                    begun.append('\n');
                    continue;
                }
                begun.setLength(0);
                Matcher exit = EXIT.matcher(line.strip());
                if (exit.matches()) {
                    return exit.group(1) == null ? status : Integer.parseInt(exit.group(1));
                }
                if (!line.isBlank()) {
                    status = lines.run(line, input.width());
                }
            }
            return begun.isEmpty() ? status : lines.run(begun.toString(), input.width()); // fails: incomplete
        } catch (InterruptedException stopped) {
            return status; // the process stops
        }
    }

    /**
     * Returns the next line; empty also if a stop was requested. The request is checked, because the previous command
     * may have cleared the interrupt that signals it.
     */
    private Optional<String> following(LineInput input) throws IOException, InterruptedException {
        return stopping.isRequested() ? Optional.empty() : input.next();
    }
}
