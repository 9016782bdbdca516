package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.FailureFrames;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.submission.api.ApplicationFailure;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Report on the end of a driver on a cluster: its output, its error if it failed, and the exit status of this process.
 * Stateless.
 */
record DriverEnd(PrintStream out, PrintStream err, SubmitStyle style) {
    private static final String ERROR_PREFIX = ApplicationFailure.ERROR_PREFIX;
    private static final String TITLE = "Exception from the cluster:";
    private static final Pattern FRAME = Pattern.compile("\\s*(at |\\.\\.\\. )"); // of a stack trace
    private static final int FRAME_LINES_MAX = 2 * FailureFrames.SHOWN_MAX; // of a driver, with the lines of causes

    /**
     * Prints the output of a driver that has ended, and its error if it failed. Returns the exit status of this process
     * for the driver's final state.
     */
    ExitStatus report(SubmissionStatus status) {
        if (style == SubmitStyle.HEARTH) { // Spark's client leaves the output where the driver wrote it
            out.print(status.output());
            out.flush();
        }
        if (status.state() == SubmissionState.FINISHED) {
            return ExitStatus.of(ExitCode.OK);
        }
        err.println(PrintableText.line("error: submission " + status.submission() + ": " + status.state()
                + SubmissionReport.exit(status) + SubmissionReport.place(status) + because(status)));
        framesOf(status).forEach(err::println);
        return switch (status.state()) {
            case KILLED -> ExitStatus.of(ExitCode.KILLED);
            case FAILED, ERROR -> new ExitStatus(Math.max(status.exitStatus().orElse(0), ExitCode.FAILED.status()));
            case SUBMITTED, RUNNING, FINISHED, RELAUNCHING, UNKNOWN -> ExitStatus.of(ExitCode.FAILED);
        };
    }

    /**
     * Returns the cause of a driver's failure: the last line of its standard error that begins with {@code error:},
     * otherwise the last line that is no frame of a stack trace. If there is none, returns the first line of the reason
     * that the cluster reports.
     */
    private static String cause(SubmissionStatus status) {
        return status.errors()
                .lines()
                .filter(line -> line.startsWith(ERROR_PREFIX))
                .reduce((first, last) -> last)
                .map(line -> line.substring(ERROR_PREFIX.length()))
                .or(() -> status.errors()
                        .lines()
                        .filter(line -> !FRAME.matcher(line).lookingAt())
                        .reduce((first, last) -> last))
                .orElseGet(() -> reason(status).findFirst().orElse(""));
    }

    /**
     * The lines below the error line: the frames of the application, or the further lines of the reason that the cluster
     * reports.
     */
    private static List<String> framesOf(SubmissionStatus status) {
        List<String> frames = new ArrayList<>();
        if (status.errors().isEmpty()) {
            reason(status).skip(1).limit(FRAME_LINES_MAX).forEach(line -> frames.add(indented(line)));
        }
        boolean below = false;
        for (String line : status.errors().lines().toList()) {
            boolean indented = line.startsWith(ApplicationFailure.INDENT);
            if (line.startsWith(ERROR_PREFIX)) {
                frames.clear();
            } else if (below && indented && frames.size() < FRAME_LINES_MAX) {
                frames.add(PrintableText.line(line));
            }
            below = line.startsWith(ERROR_PREFIX) || (below && indented);
        }
        return frames;
    }

    /** The lines of the reason that the cluster reports, without the title that masters of Spark put above it. */
    private static Stream<String> reason(SubmissionStatus status) {
        Stream<String> lines = status.message().lines();
        return status.message().startsWith(TITLE + "\n") ? lines.skip(1) : lines;
    }

    private static String indented(String line) {
        return ApplicationFailure.INDENT + PrintableText.line(line.replace("\t", ApplicationFailure.INDENT));
    }

    /** The cause of a failure after a semicolon; empty if it only repeats the exit status. */
    private static String because(SubmissionStatus status) {
        String cause = cause(status);
        return cause.isEmpty() || SubmissionReport.exit(status).endsWith(" " + cause) ? "" : "; " + cause;
    }
}
