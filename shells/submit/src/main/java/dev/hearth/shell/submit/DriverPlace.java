package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionStatus;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Worker of a standalone cluster that runs a driver, and its address. */
record DriverPlace(String worker, String address) {
    private static final Pattern FORM = Pattern.compile("worker (\\S+) at (\\S+)");

    /** Reads the place of a driver from its status; empty if the driver runs on no worker. */
    static Optional<DriverPlace> of(SubmissionStatus status) {
        Matcher matcher = FORM.matcher(status.placement());
        return matcher.matches() ? Optional.of(new DriverPlace(matcher.group(1), matcher.group(2))) : Optional.empty();
    }
}
