package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.error.Failures;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerFull;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Finds out whether a process could not be started because the disk of the worker is full. Stateless. */
final class DiskShortage {
    /** Time for which a worker with a full disk offers nothing. */
    static final Duration PAUSE = Duration.ofSeconds(60);

    /** Texts of operating systems for ENOSPC and EDQUOT. */
    private static final List<String> FULL = List.of("No space left on device", "Disk quota exceeded");

    private DiskShortage() {}

    /** Report of the worker {@code worker} to its master, if {@code failure} says that its disk is full. */
    static Optional<WorkerFull> report(String worker, Throwable failure) {
        String text = Failures.describe(failure);
        return FULL.stream().anyMatch(text::contains)
                ? Optional.of(new WorkerFull(worker, text, PAUSE.toMillis()))
                : Optional.empty();
    }
}
