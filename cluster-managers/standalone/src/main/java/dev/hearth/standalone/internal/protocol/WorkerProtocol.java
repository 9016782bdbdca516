package dev.hearth.standalone.internal.protocol;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages from the master to a worker, over the connection that the worker opened. */
public final class WorkerProtocol {
    public static final String ENDPOINT = "worker";

    public static final Protocol PROTOCOL = Protocol.named("worker", MethodHandles.lookup())
            .message(1, LaunchDriver.class)
            .message(2, StopDriver.class)
            .message(3, LaunchExecutor.class)
            .message(4, StopExecutor.class)
            .message(5, ReadOutput.class)
            .message(6, OutputRead.class)
            .message(7, EndSupervision.class)
            .message(8, LeaseRenewed.class)
            .message(9, PermitRestart.class)
            .message(10, LaunchExecutors.class)
            .message(11, RegisterAgain.class)
            .message(30, LeaveCluster.class)
            .build();

    private WorkerProtocol() {}

    /**
     * Orders a worker to start a driver, which may use the addresses of {@code resources}. For a supervised driver, this
     * is start number {@code attempt}, after {@code restarts} restarts that followed failures; older masters send 0.
     */
    public record LaunchDriver(
            SubmissionId submission,
            DriverSpec driver,
            List<ResourceInformation> resources,
            int attempt,
            int restarts) {
        /** Driver that is started for the first time. */
        public LaunchDriver(SubmissionId submission, DriverSpec driver, List<ResourceInformation> resources) {
            this(submission, driver, resources, 1, 0);
        }

        /** Driver without resources but cores and memory, started for the first time. */
        public LaunchDriver(SubmissionId submission, DriverSpec driver) {
            this(submission, driver, List.of());
        }
    }

    public record StopDriver(SubmissionId submission) {}

    /** Orders a worker not to start a driver again; its next end is the last one, whatever its exit status. */
    public record EndSupervision(SubmissionId submission) {}

    /** Permits a worker to start a supervised driver again, as start number {@code attempt}, after its delay. */
    public record PermitRestart(SubmissionId submission, int attempt) {}

    /** Answers the heartbeat that the worker sent at {@code sentNanos}; the lease of the worker begins there again. */
    public record LeaseRenewed(long sentNanos) {}

    /** Asks a worker to connect and register again, because the master knows something else of it. */
    public record RegisterAgain(String reason) {}

    /**
     * Orders a worker to start an executor. {@code driver} is the URI of the endpoint at which the executor registers.
     * Its tasks may use the addresses of {@code resources}. The worker repeats {@code profile} when it registers again.
     */
    public record LaunchExecutor(
            ApplicationId application,
            ExecutorId executor,
            int cores,
            int memoryMebibytes,
            String driver,
            Map<String, String> settings,
            List<ResourceInformation> resources,
            int profile) {
        /** Executor of the default profile. */
        public LaunchExecutor(
                ApplicationId application,
                ExecutorId executor,
                int cores,
                int memoryMebibytes,
                String driver,
                Map<String, String> settings,
                List<ResourceInformation> resources) {
            this(application, executor, cores, memoryMebibytes, driver, settings, resources, 0);
        }

        /** Executor without resources but cores and memory. */
        public LaunchExecutor(
                ApplicationId application,
                ExecutorId executor,
                int cores,
                int memoryMebibytes,
                String driver,
                Map<String, String> settings) {
            this(application, executor, cores, memoryMebibytes, driver, settings, List.of());
        }

        /** The same order with other settings. */
        public LaunchExecutor withSettings(Map<String, String> others) {
            return new LaunchExecutor(
                    application, executor, cores, memoryMebibytes, driver, others, resources, profile);
        }

        /** Returns the order without the settings, because they contain secrets. */
        @Override
        public String toString() {
            return "launch executor " + executor + " of " + application + " for " + driver;
        }
    }

    /**
     * Orders a worker to start several executors of one application and one size in memory. Stands for as many {@link
     * LaunchExecutor}, but contains what they have in common once.
     */
    public record LaunchExecutors(
            ApplicationId application,
            int memoryMebibytes,
            String driver,
            Map<String, String> settings,
            List<BatchedExecutor> executors,
            int profile) {
        /** Returns the orders for the single executors. */
        public List<LaunchExecutor> orders() {
            return executors.stream()
                    .map(each -> new LaunchExecutor(
                            application,
                            each.executor(),
                            each.cores(),
                            memoryMebibytes,
                            driver,
                            settings,
                            each.resources(),
                            profile))
                    .toList();
        }

        /** Returns the order without the settings, because they contain secrets. */
        @Override
        public String toString() {
            return "launch " + executors.size() + " executors of " + application + " for " + driver;
        }
    }

    /** Executor of a batch, with its cores and the addresses that its tasks may use. */
    public record BatchedExecutor(ExecutorId executor, int cores, List<ResourceInformation> resources) {}

    public record StopExecutor(ApplicationId application, ExecutorId executor) {}

    /**
     * Decommissions a worker, or confirms that it is being decommissioned: the master starts nothing more on it. The
     * worker ends when its drivers and executors have ended.
     */
    public record LeaveCluster(String reason) {}

    /** Asks a worker for part of the output of a driver or executor that it runs or has run. */
    public record ReadOutput(LogSource source, OutputRange range) {}

    /** Answer to {@link ReadOutput}; empty if the worker has no output files of that process. */
    public record OutputRead(Optional<LogChunk> chunk) {}
}
