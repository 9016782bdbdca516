package dev.hearth.spi.process;

import dev.hearth.spi.error.Failures;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * How a child ended, or that it never came to be, which has no {@code status}. {@code output} and {@code errors} are the last
 * part of what it wrote, for people.
 */
public record ChildEnd(OptionalInt status, String why, String output, String errors) {
    /** Of each of the two. */
    private static final int TAIL_BYTES_MAX = 16 * 1024;

    private static final String ERROR = "error: ";

    /** The end of a process that exited with {@code status}. Reads two files: not for loops that must not wait for disks. */
    public static ChildEnd of(ChildProcess process, int status) {
        return new ChildEnd(
                OptionalInt.of(status), "exit status " + status, tail(process::outputTail), tail(process::errorTail));
    }

    /** What becomes of a child that the machine refuses to start. */
    public static ChildEnd notStarted(Throwable failure) {
        return new ChildEnd(OptionalInt.empty(), Failures.describe(failure), "", "");
    }

    /** Why it ended, with what a process of ours said last before it ended badly. */
    public String describe() {
        return why
                + errors.lines()
                        .filter(line -> line.startsWith(ERROR))
                        .reduce((first, last) -> last)
                        .map(line -> ": " + line.substring(ERROR.length()))
                        .orElse("");
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
