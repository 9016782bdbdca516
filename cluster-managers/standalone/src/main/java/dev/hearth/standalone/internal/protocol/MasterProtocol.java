package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Messages to the master, from workers, drivers and submitters, and its answers. The master listens; all others
 * connect.
 */
public final class MasterProtocol {
    public static final String ENDPOINT = "master";

    public static final Protocol PROTOCOL = Protocol.named("master", MethodHandles.lookup())
            .message(1, RegisterWorker.class)
            .message(2, WorkerRegistered.class)
            .message(3, WorkerHeartbeat.class)
            .message(4, SubmitDriver.class)
            .message(5, DriverSubmitted.class)
            .message(6, DriverEnded.class)
            .message(7, FindDriver.class)
            .message(8, KillDriver.class)
            .message(9, DriverFound.class)
            .message(10, RegisterApplication.class)
            .message(11, ApplicationRegistered.class)
            .message(12, WantExecutors.class)
            .message(13, ReleaseExecutors.class)
            .message(14, EndApplication.class)
            .message(15, ApplicationEnded.class)
            .message(16, ExecutorEnded.class)
            .build();

    private MasterProtocol() {}

    public record RegisterWorker(String worker, String host, int port, int cores, int memoryMebibytes) {}

    /**
     * Answer to a worker's registration. If {@code refusal} is empty, the master has accepted the worker and may place
     * work on it from now on.
     */
    public record WorkerRegistered(String refusal, long heartbeatMillis) {}

    public record WorkerHeartbeat(String worker) {}

    /**
     * Asks to run a driver. Idempotent by {@code request}. {@code watcher}, if not empty, is an endpoint of the sender
     * that receives all changes of the driver's state.
     */
    public record SubmitDriver(String request, DriverSpec driver, String watcher) {}

    public record DriverSubmitted(SubmissionId submission) {}

    /**
     * A driver's process has exited, or could not be started ({@code exitStatus} is empty then). Sent by its worker.
     */
    public record DriverEnded(
            SubmissionId submission, OptionalInt exitStatus, String message, String output, String errors) {}

    public record FindDriver(SubmissionId submission) {}

    public record KillDriver(SubmissionId submission) {}

    /**
     * Answer to {@link FindDriver} and {@link KillDriver}: the status of the driver, in the latter case before the
     * kill.
     */
    public record DriverFound(DriverStatus status) {}

    /** Registers an application; {@code endpoint} of the sender receives the events of {@link ApplicationProtocol}. */
    public record RegisterApplication(
            String name,
            String endpoint,
            String driver,
            OptionalInt coresMax,
            OptionalInt executorCores,
            int executorMemoryMebibytes,
            Map<String, String> settings) {
        /** Omits the settings, which contain secrets. */
        @Override
        public String toString() {
            return "register application " + name + " of " + driver;
        }
    }

    public record ApplicationRegistered(ApplicationId application) {}

    /**
     * Sets the total number of executors that an application requests, and the hosts that must not run any. The total
     * is an absolute number, not a difference.
     */
    public record WantExecutors(ApplicationId application, int total, List<String> excludedHosts) {}

    public record ReleaseExecutors(ApplicationId application, List<ExecutorId> executors, String reason) {}

    public record EndApplication(ApplicationId application, String result) {}

    public record ApplicationEnded(ApplicationId application) {}

    /**
     * An executor's process has exited, or could not be started ({@code exitStatus} is empty then). Sent by its worker.
     */
    public record ExecutorEnded(
            ApplicationId application,
            ExecutorId executor,
            OptionalInt exitStatus,
            String message,
            List<String> logs) {}
}
