package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCategory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.FailureFrames;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/**
 * Report on an application that failed: the line {@code error: ...}, which programs read, and below it, indented, the
 * application's own stack frames. Stateless.
 */
public final class ApplicationFailure {
    /** Begin of the line with the failure. */
    public static final String ERROR_PREFIX = "error: ";
    /** Begin of each line below it. */
    public static final String INDENT = "  ";

    private ApplicationFailure() {}

    /**
     * Prints the report, after the whole stack trace if {@code trace} is set, and returns the exit status of the failure.
     * Prints nothing and returns empty if the application has no part in the failure, such as the loss of a cluster, which
     * the kernel then reports.
     */
    public static Optional<ExitStatus> print(HearthException failure, boolean trace, PrintStream err) {
        List<String> frames = FailureFrames.lines(failure);
        // a wrong setting is not in the program, wherever it is read
        Optional<ErrorCode> code = ErrorCode.of(failure)
                .filter(known -> known.category() == ErrorCategory.USER && known != ErrorCode.BAD_SETTING);
        if (frames.isEmpty() || code.isEmpty() || isOfApplication(failure)) {
            return Optional.empty();
        }
        if (trace) {
            failure.printStackTrace(err);
        }
        err.println(ERROR_PREFIX + PrintableText.marked(String.valueOf(failure.getMessage())));
        frames.forEach(line -> err.println(PrintableText.line(line)));
        return Optional.of(ExitStatus.of(code.get().exit()));
    }

    /** Whether the application made the exception itself, for example to refuse its arguments: the message says it all. */
    private static boolean isOfApplication(HearthException failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        return failure.getCause() == null && frames.length > 0 && FailureFrames.isUsers(frames[0].getClassName());
    }
}
