package dev.hearth.local;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parsed master URL {@code local[N,F]}. N is the number of cores. F is the number of failures of one task after which
 * its job fails.
 */
record LocalMasterUrl(int cores, int taskFailuresMax) {
    /** Default for F. In a single process a failed task usually fails again, so retries only delay the error. */
    private static final int TASK_FAILURES_MAX = 1;

    private static final Pattern FORM = Pattern.compile("\\[\\s*([1-9]\\d{0,4}|\\*)\\s*(?:,\\s*([1-9]\\d{0,4})\\s*)?]");

    /**
     * Parses a master URL of the scheme {@code local}. {@code processors} is the number of processors of this machine.
     */
    static LocalMasterUrl parse(MasterUrl master, int processors) {
        if (master.text().equals("local")) {
            return new LocalMasterUrl(1, TASK_FAILURES_MAX);
        }
        Matcher matcher = FORM.matcher(master.rest());
        if (!matcher.matches()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "master " + master + ": not a local master (expected: local, local[N],"
                            + " local[*] or local[N,F], with N cores and F failures of a task until its job fails, each from 1 to 99999)");
        }
        String cores = matcher.group(1);
        String failures = matcher.group(2);
        return new LocalMasterUrl(
                cores.equals("*") ? processors : Integer.parseInt(cores),
                failures == null ? TASK_FAILURES_MAX : Integer.parseInt(failures));
    }
}
