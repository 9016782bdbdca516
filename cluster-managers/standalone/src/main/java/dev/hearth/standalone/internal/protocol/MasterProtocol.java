package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What everybody tells the master, and its answers. The master listens; all others connect. */
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

    /** Empty {@code refusal}: from now on the master counts on this worker and places work there. */
    public record WorkerRegistered(String refusal, long heartbeatMillis) {}

    public record WorkerHeartbeat(String worker) {}

    /**
     * Asks to run a driver. The same {@code request} twice is one driver. {@code watcher} is an endpoint of the sender that
     * hears of every change, or empty.
     */
    public record SubmitDriver(String request, DriverSpec driver, String watcher) {}

    public record DriverSubmitted(SubmissionId submission) {}

    /** A worker's word that a driver's process is gone, or never came to be ({@code exitStatus} is empty then). */
    public record DriverEnded(
            SubmissionId submission, OptionalInt exitStatus, String message, String output, String errors) {}

    public record FindDriver(SubmissionId submission) {}

    public record KillDriver(SubmissionId submission) {}

    /** A driver's status before anything the question asked for took effect. */
    public record DriverFound(DriverStatus status) {}

    /** An application that will want executors; {@code endpoint} of the sender hears what becomes of them. */
    public record RegisterApplication(
            String name,
            String endpoint,
            String driver,
            OptionalInt coresMax,
            OptionalInt executorCores,
            int executorMemoryMebibytes,
            Map<String, String> settings) {
        /** Says nothing of the settings, as there are secrets among them. */
        @Override
        public String toString() {
            return "register application " + name + " of " + driver;
        }
    }

    public record ApplicationRegistered(ApplicationId application) {}

    /** The wanted total, not a difference. */
    public record WantExecutors(ApplicationId application, int total, List<String> excludedHosts) {}

    public record ReleaseExecutors(ApplicationId application, List<ExecutorId> executors, String reason) {}

    public record EndApplication(ApplicationId application, String result) {}

    public record ApplicationEnded(ApplicationId application) {}

    /** A worker's word that an executor's process is gone, or never came to be ({@code exitStatus} is empty then). */
    public record ExecutorEnded(
            ApplicationId application,
            ExecutorId executor,
            OptionalInt exitStatus,
            String message,
            List<String> logs) {}
}
