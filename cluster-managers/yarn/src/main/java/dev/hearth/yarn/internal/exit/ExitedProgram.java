package dev.hearth.yarn.internal.exit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.yarn.internal.hadoop.DirectLines;
import dev.hearth.yarn.internal.hadoop.LineIdentity;
import dev.hearth.yarn.internal.line.FinalOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Ends the application of a driver whose program has called {@code System.exit}; it then leads to {@code history}, if that is
 * not empty. Immutable.
 */
public record ExitedProgram(LineIdentity identity, Map<String, String> environment, Path directory, String history) {
    /** Reports the status of the driver to the ResourceManager, unless YARN is to start the driver again. */
    public ExitStatus end() throws IOException, InterruptedException {
        int status;
        try {
            status = Integer.parseInt(environment.getOrDefault(ExitNote.STATUS, ""));
        } catch (NumberFormatException malformed) {
            throw ErrorCode.START_FAILED.failure(
                    "variable " + ExitNote.STATUS + ": (expected: the status of the driver)", malformed);
        }
        boolean succeeded = status == ExitCode.OK.status();
        if (succeeded || !ExitNote.isRetried(directory)) {
            DirectLines.end(
                    identity,
                    succeeded ? FinalOutcome.SUCCEEDED : FinalOutcome.FAILED,
                    succeeded ? "" : "exit status " + status + "\nthe program has called System.exit(" + status + ")",
                    history);
        }
        return ExitStatus.of(ExitCode.OK);
    }
}
