package dev.hearth.shell.gogo;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and runs lines until the input ends, somebody types {@code exit}, or the process is told to end. */
final class LineLoop {
    private static final Pattern EXIT =
            Pattern.compile("(?:exit|quit)(?:\\s+(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5]))?");

    private final Lines lines;
    private final Stopping stopping;

    LineLoop(Lines lines, Stopping stopping) {
        this.lines = lines;
        this.stopping = stopping;
    }

    /** Returns the status that {@code exit} named, else that of the last line. */
    int run(LineInput input) throws IOException {
        int status = 0;
        StringBuilder begun = new StringBuilder(); // what goes on in the next line
        try {
            for (Optional<String> next = input.next();
                    next.isPresent() && !stopping.isAsked();
                    next = following(input)) {
                String line = begun.append(next.get()).toString();
                if (LineFailure.isUnfinished(line)) {
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
            return begun.isEmpty() ? status : lines.run(begun.toString(), input.width()); // says what is missing
        } catch (InterruptedException toldToEnd) {
            return status; // Stopping knows, and the process is on its way out
        }
    }

    /** Asks before it waits: the line that ran may have swallowed the interrupt that told to end. */
    private Optional<String> following(LineInput input) throws IOException, InterruptedException {
        return stopping.isAsked() ? Optional.empty() : input.next();
    }
}
