package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionStatus;
import java.util.Optional;

/** Worker of a standalone cluster that runs a driver, and its address. */
record DriverPlace(String worker, String address) {
    /** Reads the place of a driver from its status; empty if the driver runs on no worker. */
    static Optional<DriverPlace> of(SubmissionStatus status) {
        return status.worker().isEmpty()
                ? Optional.empty()
                : Optional.of(new DriverPlace(status.worker(), status.workerAddress()));
    }
}
