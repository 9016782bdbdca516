package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.error.Failures;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerFull;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Finds out whether a process could not be started because the disk of the worker is full or does not answer. Stateless. */
final class DiskShortage {
    /** Time for which a worker with such a disk offers nothing. */
    static final Duration PAUSE = Duration.ofSeconds(60);

    /** Texts of operating systems for ENOSPC and EDQUOT, and that of a start that hangs. */
    private static final List<String> TEXTS =
            List.of("No space left on device", "Disk quota exceeded", WorkerProcesses.LATE);

    private DiskShortage() {}

    /** Report of the worker {@code worker} to its master, if {@code failure} says that its disk takes nothing. */
    static Optional<WorkerFull> report(String worker, Throwable failure) {
        String text = Failures.describe(failure);
        return TEXTS.stream().anyMatch(text::contains)
                ? Optional.of(new WorkerFull(worker, text, PAUSE.toMillis()))
                : Optional.empty();
    }
}
