package dev.hearth.standalone.internal.protocol;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * One process of a worker, as it registers with a master: its random {@code id}, the last master that it has served, and
 * all of its children. An empty id is that of an older worker, which ends its children when it loses its master.
 */
public record WorkerSession(String id, MasterTerm served, List<DriverReport> drivers, List<ExecutorReport> executors) {
    public static final WorkerSession NONE = new WorkerSession("", MasterTerm.NONE, List.of(), List.of());

    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** Whether the children of this worker outlive the connection to the master. */
    public boolean isResumable() {
        return !id.isEmpty();
    }

    /** Names of the drivers and executors that have not ended. */
    public List<String> runs() {
        return Stream.concat(
                        drivers.stream()
                                .filter(driver -> !driver.ended())
                                .map(driver -> driver.submission().value()),
                        executors.stream()
                                .filter(executor -> !executor.ended())
                                .map(executor -> executor.application() + "/" + executor.executor()))
                .toList();
    }

    /**
     * A driver on a worker, in its start number {@code attempt}. If it {@code waits}, that start has failed, as {@code
     * lastEnd} says, and the next one needs the permission of the master. If it has {@code ended}, the message about its end
     * follows. The other components say what it uses.
     */
    public record DriverReport(
            SubmissionId submission,
            int attempt,
            int restarts,
            boolean waits,
            String lastEnd,
            boolean ended,
            List<ResourceInformation> resources,
            int cores,
            int memoryMebibytes) {}

    /** An executor on a worker, as the master has ordered it. If it has {@code ended}, the message about its end follows. */
    public record ExecutorReport(
            ApplicationId application,
            ExecutorId executor,
            int cores,
            int memoryMebibytes,
            int profile,
            boolean ended,
            List<ResourceInformation> resources) {}

    /**
     * Sum by which a master and a worker find that they know different children, whose names are {@code names}; not 0 even
     * if there are none.
     */
    public static long sum(Collection<String> names) {
        long sum = names.size() + 1L;
        for (String name : names) {
            long mixed = name.hashCode() * MIX;
            sum += mixed ^ (mixed >>> Integer.SIZE);
        }
        return sum;
    }
}
