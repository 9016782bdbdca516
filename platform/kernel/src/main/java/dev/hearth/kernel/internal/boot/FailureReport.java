package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.error.PrintableText;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports why a process failed: one line for people and, for internal errors, the stack trace in the log. */
public final class FailureReport {
    private FailureReport() {}

    /** Writes the report; returns the exit status of the failure. */
    public static int write(Throwable failure, PrintStream err) {
        Throwable inner = Failures.unwrap(failure);
        if (inner instanceof HearthException known) {
            err.println("error: " + PrintableText.marked(String.valueOf(known.getMessage())));
            Optional<ErrorCode> code = ErrorCode.of(known);
            if (code.filter(ErrorCode.INTERNAL::equals).isPresent()) {
                log().error("{}", known.code(), known);
            } else {
                log().debug("{}", known.code(), known);
            }
            return code.map(ErrorCode::exit).orElse(ExitCode.FAILED).status();
        }
        if (inner instanceof InvalidPathException path) {
            err.println("error: path: '" + PrintableText.marked(path.getInput()) + "': " + path.getReason()
                    + " (expected: a path in the character set " + System.getProperty("sun.jnu.encoding")
                    + " of this process); use a locale with UTF-8, as LC_ALL=C.UTF-8");
            return ExitCode.USAGE.status();
        }
        err.println("error: internal: " + PrintableText.marked(inner.toString()));
        log().error("internal failure", inner);
        ExitCode exit = inner instanceof OutOfMemoryError ? ExitCode.OUT_OF_MEMORY : ExitCode.UNCAUGHT;
        return exit.status();
    }

    /**
     * Returns the logger. It is not a constant, because a report made before logging is configured must use the default
     * logging of this jar.
     */
    private static Logger log() {
        return LoggerFactory.getLogger(FailureReport.class);
    }
}
