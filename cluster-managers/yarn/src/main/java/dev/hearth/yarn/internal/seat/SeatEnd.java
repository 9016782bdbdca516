package dev.hearth.yarn.internal.seat;

import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.yarn.internal.line.FinalOutcome;
import java.util.Optional;
import java.util.Set;

/**
 * Decision about the end of a driver on the cluster: the outcome for the ResourceManager, or none, so that it starts the
 * driver again. The words begin with a line {@code exit status N}, by which a submitter knows them. Pure.
 */
record SeatEnd(Optional<FinalOutcome> outcome, String words) {
    /** Maximum number of bytes of the log of errors in the words. */
    static final int ERRORS_MAX = 16 * 1024;
    /** Statuses of a driver that the cluster has failed, not its program. */
    private static final Set<Integer> OF_CLUSTER = Set.of(
            ExitCode.CLUSTER_LOST.status(),
            ExitCode.CLUSTER_UNREACHABLE.status(),
            ExitCode.DRIVER_LOST.status(),
            ExitCode.TERMINATED.status());

    /**
     * Rule of a submission: whether failures of the program lead to another attempt, as in Spark, and whether another one may
     * follow this one.
     */
    record Attempts(boolean retriesProgram, boolean mayFollow) {}

    /**
     * The end of a driver with {@code status}; {@code reason} is the sentence of its failure, or empty, {@code errors} the
     * end of its log of errors.
     */
    static SeatEnd of(ExitStatus status, String reason, String errors, Attempts attempts) {
        int number = status.status();
        if (number == ExitCode.OK.status()) {
            return new SeatEnd(Optional.of(FinalOutcome.SUCCEEDED), "");
        }
        boolean isRetried = attempts.mayFollow() && (attempts.retriesProgram() || OF_CLUSTER.contains(number));
        String words =
                "exit status " + number + "\n" + reason.strip() + (errors.isBlank() ? "" : "\n\n" + errors.strip());
        return new SeatEnd(isRetried ? Optional.empty() : Optional.of(FinalOutcome.FAILED), words);
    }
}
