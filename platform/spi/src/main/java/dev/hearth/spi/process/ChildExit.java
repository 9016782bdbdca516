package dev.hearth.spi.process;

import dev.hearth.spi.error.Failures;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * Exit of a child process, or the failure to start it, which has no {@code status}. {@code output} and {@code errors}
 * are the last bytes of its two logs, for display.
 */
public record ChildExit(OptionalInt status, String why, String output, String errors) {
    private static final String ERROR = "error: ";
    /** Message with which the JVM of a child exits when memory is exhausted; the exit status is then 3. */
    private static final String OUT_OF_MEMORY = "Terminating due to java.lang.OutOfMemoryError";

    private static final int SIGNALS = 128; // a process killed by a signal has this exit status plus the signal number
    private static final int SIGNAL_MAX = 64;
    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;

    /**
     * Exit of {@code process} with exit status {@code status}. The process object keeps the last bytes of both logs, so
     * this method reads no files.
     */
    public static ChildExit of(ChildProcess process, int status) {
        return new ChildExit(
                OptionalInt.of(status), "exit status " + status, tail(process::outputTail), tail(process::errorTail));
    }

    /** Exit of a child process that could not be started, with {@code failure} as the reason and without a status. */
    public static ChildExit notStarted(Throwable failure) {
        return new ChildExit(OptionalInt.empty(), Failures.describe(failure), "", "");
    }

    /** The same exit, with {@code note} after its reason; the note may be empty. */
    public ChildExit noting(String note) {
        return note.isEmpty() ? this : new ChildExit(status, why + "; " + note, output, errors);
    }

    /**
     * One-line description of the exit: the exit status or the failure to start, and the last error line that the
     * process or its JVM wrote.
     */
    public String describe() {
        return why
                + signal()
                + errors.lines()
                        .filter(line -> line.startsWith(ERROR) || line.startsWith(OUT_OF_MEMORY))
                        .reduce((first, last) -> last)
                        .map(line -> ": " + (line.startsWith(ERROR) ? line.substring(ERROR.length()) : line))
                        .orElse("");
    }

    private String signal() {
        int signal = status.orElse(0) - SIGNALS;
        return switch (signal) {
            case SIGKILL -> " (killed by SIGKILL)";
            case SIGTERM -> " (ended by SIGTERM)";
            default -> signal >= 1 && signal <= SIGNAL_MAX ? " (ended by signal " + signal + ")" : "";
        };
    }

    /**
     * Last bytes of {@code log}, standard output or error, as text. If the log cannot be read, returns the reason
     * instead, because the exit must be reported in any case.
     */
    private static String tail(IntFunction<String> log) {
        try {
            return log.apply(ChildProcess.TAIL_BYTES_MAX);
        } catch (RuntimeException unreadable) {
            return "log of this process: " + Failures.describe(unreadable);
        }
    }
}
