package dev.hearth.spi.cluster;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import java.util.Optional;

/**
 * Process of a cluster whose output is to be read. With an {@code application}, {@code process} is the id of one of its
 * executors; otherwise it is the id of a submission, whose driver is meant. Immutable. Travels in messages.
 */
public record LogSource(Optional<ApplicationId> application, String process) {
    public LogSource {
        String checked = application.isPresent()
                ? new ExecutorId(process).value()
                : new SubmissionId(process).value(); // ids have no separators, and are safe in paths
        process = checked;
    }

    public static LogSource ofDriver(SubmissionId driver) {
        return new LogSource(Optional.empty(), driver.value());
    }

    public static LogSource ofExecutor(ApplicationId application, ExecutorId executor) {
        return new LogSource(Optional.of(application), executor.value());
    }

    @Override
    public String toString() {
        return application.map(id -> "executor " + process + " of " + id).orElse("driver " + process);
    }
}
