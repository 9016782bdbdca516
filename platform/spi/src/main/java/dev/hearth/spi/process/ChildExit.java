package dev.hearth.spi.process;

import dev.hearth.spi.error.Failures;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * How a child ended, or that it never came to be, which has no {@code status}. {@code output} and {@code errors} are the last
 * part of what it wrote, for people.
 */
public record ChildExit(OptionalInt status, String why, String output, String errors) {
    /** Of each of the two. */
    private static final int TAIL_BYTES_MAX = 16 * 1024;

    private static final String ERROR = "error: ";
    /** How Java announces that it ends for want of memory; its exit status is 3 then. */
    private static final String OUT_OF_MEMORY = "Terminating due to java.lang.OutOfMemoryError";

    private static final int SIGNALS = 128; // what an exit status is above, by the signal's number
    private static final int SIGNAL_MAX = 64;

    /** The end of a process that exited with {@code status}. Reads two files: not for loops that must not wait for disks. */
    public static ChildExit of(ChildProcess process, int status) {
        return new ChildExit(
                OptionalInt.of(status), "exit status " + status, tail(process::outputTail), tail(process::errorTail));
    }

    /** What becomes of a child that the machine refuses to start. */
    public static ChildExit notStarted(Throwable failure) {
        return new ChildExit(OptionalInt.empty(), Failures.describe(failure), "", "");
    }

    /** Why it ended, with what a process of ours, or its Java, said last before it ended badly. */
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
        return signal >= 1 && signal <= SIGNAL_MAX ? " (ended by signal " + signal + ")" : "";
    }

    /** The end of a log, as far as it can be read: a child's end is told with or without it. */
    private static String tail(IntFunction<String> log) {
        try {
            return log.apply(TAIL_BYTES_MAX);
        } catch (RuntimeException unreadable) {
            return "log of this process: " + Failures.describe(unreadable);
        }
    }
}
