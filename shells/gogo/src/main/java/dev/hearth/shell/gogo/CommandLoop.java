package dev.hearth.shell.gogo;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and runs lines of the Hearth shell until the input ends, {@code exit} is read, or the process stops. */
final class CommandLoop {
    private static final Pattern EXIT =
            Pattern.compile("(?:exit|quit|logout)(?:\\s+(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5]))?");

    private final CommandExecutor lines;
    private final StopSignal stopping;
    private final OnFailure onFailure;
    private int status;

    /** Policy for a line that failed: whether the next line runs, and the resulting exit status. */
    enum OnFailure {
        /** The next line runs; the exit status is that of the last line. */
        CONTINUE,
        /** The next line runs; the exit status is that of the last line that failed. */
        REMEMBER,
        /** No further line runs; the exit status is that of the failed line. */
        STOP
    }

    CommandLoop(CommandExecutor lines, StopSignal stopping, OnFailure onFailure) {
        this.lines = lines;
        this.stopping = stopping;
        this.onFailure = onFailure;
    }

    /** Runs the shell lines of {@code input} until its end. Returns the exit status. */
    int run(LineInput input) throws IOException {
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
                if (!line.isBlank() && endsAfter(line, input)) {
                    return status;
                }
            }
            if (!begun.isEmpty()) {
                endsAfter(begun.toString(), input); // fails: incomplete
            }
            return status;
        } catch (InterruptedException stopped) {
            return status; // the process stops
        }
    }

    /** Runs {@code line}, and returns whether no further line is to run because of its failure. */
    private boolean endsAfter(String line, LineInput input) {
        int ended = lines.run(line, input.width());
        status = onFailure == OnFailure.REMEMBER && ended == 0 ? status : ended;
        return onFailure == OnFailure.STOP && ended != 0;
    }

    /**
     * Returns the next line; empty also if a stop was requested. The request is checked, because the previous command
     * may have cleared the interrupt that signals it.
     */
    private Optional<String> following(LineInput input) throws IOException, InterruptedException {
        return stopping.isRequested() ? Optional.empty() : input.next();
    }
}
