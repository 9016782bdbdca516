package dev.hearth.standalone.internal.protocol;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.stream.ContentId;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Messages that workers, drivers and submitters send to the master, and the master's answers. The master listens; all
 * other processes connect to it.
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
            .message(17, DoubtExecutor.class)
            .message(18, FindDrivers.class)
            .message(19, KillDrivers.class)
            .message(20, DriversFound.class)
            .message(21, ListWorkers.class)
            .message(22, WorkersListed.class)
            .message(25, ListApplications.class)
            .message(26, ApplicationsListed.class)
            .message(27, ListExecutors.class)
            .message(28, ExecutorsListed.class)
            .message(29, ListDrivers.class)
            .message(30, DriversListed.class)
            .message(31, KillApplication.class)
            .message(32, ApplicationFound.class)
            .message(23, ReadLog.class)
            .message(24, LogRead.class)
            .message(40, OfferFiles.class)
            .message(41, FilesWanted.class)
            .message(42, FindContent.class)
            .message(43, TakePiece.class)
            .message(44, ContentFound.class)
            .message(33, ClearDrivers.class)
            .message(34, DriversCleared.class)
            .message(50, DriverRestarts.class)
            .message(51, DriverStarted.class)
            .message(52, DriverReturned.class)
            .message(53, WorkerStops.class)
            .message(54, FindLeader.class)
            .message(55, LeaderFound.class)
            .message(56, WatchDriver.class)
            .message(57, EndTaken.class)
            .message(58, MasterDeposed.class)
            .message(70, WorkerLeaves.class)
            .message(71, DecommissionWorkers.class)
            .message(72, WorkersDecommissioned.class)
            .message(73, WorkerFull.class)
            .build();

    private MasterProtocol() {}

    /**
     * Registers a worker with what it offers: cores, memory, and the addresses of its resources. {@code directory} is
     * the path below which its executors write their output; empty from older workers. {@code supervises} says that it
     * starts supervised drivers again, and ends them when its lease expires; older workers do neither. {@code takesBatches}
     * says that it understands {@link WorkerProtocol.LaunchExecutors}. {@code session} lists what it runs. {@code pages} is
     * where it serves the outputs of what it runs ({@link OutputLinks}); empty from older workers.
     */
    public record RegisterWorker(
            String worker,
            String host,
            int port,
            int cores,
            int memoryMebibytes,
            String directory,
            List<ResourceInformation> resources,
            boolean supervises,
            boolean takesBatches,
            WorkerSession session,
            String pages) {
        /** Worker without pages. */
        public RegisterWorker(
                String worker,
                String host,
                int port,
                int cores,
                int memoryMebibytes,
                String directory,
                List<ResourceInformation> resources,
                boolean supervises,
                boolean takesBatches,
                WorkerSession session) {
            this(
                    worker,
                    host,
                    port,
                    cores,
                    memoryMebibytes,
                    directory,
                    resources,
                    supervises,
                    takesBatches,
                    session,
                    "");
        }

        /** Worker whose children end when it loses its master. */
        public RegisterWorker(
                String worker,
                String host,
                int port,
                int cores,
                int memoryMebibytes,
                String directory,
                List<ResourceInformation> resources,
                boolean supervises,
                boolean takesBatches) {
            this(
                    worker,
                    host,
                    port,
                    cores,
                    memoryMebibytes,
                    directory,
                    resources,
                    supervises,
                    takesBatches,
                    WorkerSession.NONE);
        }

        /** Worker that takes orders one by one. */
        public RegisterWorker(
                String worker,
                String host,
                int port,
                int cores,
                int memoryMebibytes,
                String directory,
                List<ResourceInformation> resources,
                boolean supervises) {
            this(worker, host, port, cores, memoryMebibytes, directory, resources, supervises, false);
        }

        /** Worker that supervises no drivers, and takes orders one by one. */
        public RegisterWorker(
                String worker,
                String host,
                int port,
                int cores,
                int memoryMebibytes,
                String directory,
                List<ResourceInformation> resources) {
            this(worker, host, port, cores, memoryMebibytes, directory, resources, false, false);
        }

        /** Worker without resources but cores and memory. */
        public RegisterWorker(String worker, String host, int port, int cores, int memoryMebibytes, String directory) {
            this(worker, host, port, cores, memoryMebibytes, directory, List.of());
        }
    }

    /**
     * Answer to {@link RegisterWorker}. {@code refusal} is empty if the worker is registered; the master may then start
     * drivers and executors on it. {@code heartbeatMillis} is the interval at which the worker must send heartbeats. {@code
     * leaseMillis} is the time for which the worker may run supervised drivers, counted from the sending of the request or
     * of the last heartbeat that the master has answered; 0 from older masters, which give no leases. {@code term} is that of
     * the master. A master that is {@code uncertain} does not know whether another one leads by now, and begins no lease.
     */
    public record WorkerRegistered(
            String refusal, long heartbeatMillis, long leaseMillis, MasterTerm term, boolean uncertain) {
        /** Answer of a master without a term. */
        public WorkerRegistered(String refusal, long heartbeatMillis, long leaseMillis) {
            this(refusal, heartbeatMillis, leaseMillis, MasterTerm.NONE, false);
        }

        /** Answer of a master that gives no leases. */
        public WorkerRegistered(String refusal, long heartbeatMillis) {
            this(refusal, heartbeatMillis, 0);
        }
    }

    /**
     * Heartbeat of a worker, sent at {@code sentNanos} by a clock of its own. The master repeats that time in its answer,
     * {@link WorkerProtocol.LeaseRenewed}, to workers that supervise drivers. Older workers send 0. {@code orders} counts the
     * orders over this connection, and {@code children} is the {@link WorkerSession#sum} of those that run; older workers send
     * neither.
     */
    public record WorkerHeartbeat(String worker, long sentNanos, int orders, long children) {
        /** Heartbeat of a worker that does not say what it runs. */
        public WorkerHeartbeat(String worker, long sentNanos) {
            this(worker, sentNanos, 0, 0);
        }
    }

    /** Answer to a report about an end, {@link DriverEnded} or {@link ExecutorEnded}: the worker need not repeat it. */
    public record EndTaken() {}

    /** Informs a master that the sender has served {@code later}, a master that has followed it. */
    public record MasterDeposed(MasterTerm later) {}

    /** Reports that a worker ends its processes in order to stop, so that the master starts nothing on it any more. */
    public record WorkerStops(String worker) {}

    /**
     * Reports that a worker is being decommissioned: it leaves the cluster when its drivers and executors have ended, or
     * after {@code withinMillis} if that is given. The master answers with {@link WorkerProtocol.LeaveCluster} once it
     * starts nothing more there.
     */
    public record WorkerLeaves(String worker, String reason, OptionalLong withinMillis) {}

    /**
     * Reports that the disk of a worker is full, as {@code reason} says, so that the master starts nothing there for {@code
     * forMillis}. Sent before the report about the process that could not be started.
     */
    public record WorkerFull(String worker, String reason, long forMillis) {}

    /** Decommissions workers: those with one of the ids or on one of the hosts that {@code targets} contains. */
    public record DecommissionWorkers(List<String> targets, String reason) {}

    /** Answer to {@link DecommissionWorkers}: the ids of the workers that leave, also of those that left already. */
    public record WorkersDecommissioned(List<String> workers) {}

    /**
     * Asks the master to run a driver. Idempotent: a second message with the same {@code request} starts no second
     * driver. If {@code watcher} is not empty, it names an endpoint of the sender that receives all changes of the
     * driver's state.
     */
    public record SubmitDriver(String request, DriverSpec driver, String watcher) {}

    public record DriverSubmitted(SubmissionId submission) {}

    /**
     * Reports that a driver's process has exited or could not be started; {@code exitStatus} is empty in the latter
     * case. Sent by the driver's worker.
     */
    public record DriverEnded(
            SubmissionId submission, OptionalInt exitStatus, String message, String output, String errors) {}

    /**
     * Reports that start number {@code attempt} of a supervised driver has failed, and that its worker will start it again
     * after {@code delayMillis}, if the master permits it. {@code restarts} counts the restarts after failures, with this one.
     */
    public record DriverRestarts(
            SubmissionId submission,
            int attempt,
            int restarts,
            OptionalInt exitStatus,
            String message,
            long delayMillis) {}

    /** Reports that the worker of a supervised driver starts it again; this is start number {@code attempt}. */
    public record DriverStarted(SubmissionId submission, int attempt) {}

    /**
     * Reports that start number {@code attempt} of a supervised driver has ended because its worker stops, so that the
     * master may start the driver elsewhere.
     */
    public record DriverReturned(SubmissionId submission, int attempt) {}

    public record FindDriver(SubmissionId submission) {}

    /**
     * Asks for the status of a driver, and that the endpoint {@code watcher} of the sender receives all changes of its state
     * from now on. Sent after the loss of a connection.
     */
    public record WatchDriver(SubmissionId submission, String watcher) {}

    /** Asks one of several masters whether it leads. */
    public record FindLeader() {}

    /**
     * Answer to {@link FindLeader}. {@code state} is the state of the sender, {@code ALIVE} if it leads, or {@code UNCERTAIN} if
     * it has led and cannot ask whether it still does. A leader has led since {@code sinceMillis}, milliseconds since 1970. {@code
     * leader} is the address of the master that leads; it is empty if the sender does not know.
     */
    public record LeaderFound(long sinceMillis, String state, String leader) {
        public static final String ALIVE = "ALIVE";
        public static final String UNCERTAIN = "UNCERTAIN";
        public static final String STANDBY = "STANDBY";
    }

    public record KillDriver(SubmissionId submission) {}

    /**
     * Answer to {@link FindDriver}, {@link WatchDriver} and {@link KillDriver}: the status of the driver. After a kill, it is the status
     * before the kill.
     */
    public record DriverFound(DriverStatus status) {}

    /** Asks for all drivers whose ids match a pattern, in which * stands for any characters and ? for one. */
    public record FindDrivers(String pattern) {}

    /** Kills all drivers whose ids match a pattern, as in {@link FindDrivers}. */
    public record KillDrivers(String pattern) {}

    /**
     * Answer to {@link FindDrivers} and {@link KillDrivers}: the statuses of the matching drivers, in the order of their
     * submission, without their output. After a kill, they are the statuses before the kill.
     */
    public record DriversFound(List<DriverStatus> statuses) {}

    /** Asks the master to forget the drivers that have ended. */
    public record ClearDrivers() {}

    /** Answer to {@link ClearDrivers}: the number of drivers that the master has forgotten. */
    public record DriversCleared(int drivers) {}

    /** Asks for all workers that the master knows. */
    public record ListWorkers() {}

    /** Answer to {@link ListWorkers}: the registered workers, then lost ones that the master remembers. */
    public record WorkersListed(List<WorkerEntry> workers) {}

    /** Asks for all applications that the master knows. */
    public record ListApplications() {}

    /** Answer to {@link ListApplications}: those that have ended, as far as the master remembers them, then the others. */
    public record ApplicationsListed(List<ApplicationEntry> applications) {}

    /** Asks for the executors of one application, or of all. */
    public record ListExecutors(Optional<ApplicationId> application) {}

    /** Answer to {@link ListExecutors}: those that have ended, as far as the master remembers them, then the others. */
    public record ExecutorsListed(List<ExecutorEntry> executors) {}

    /** Asks for all drivers that the master knows. */
    public record ListDrivers() {}

    /** Answer to {@link ListDrivers}, in the order of submission. */
    public record DriversListed(List<ListedDriver> drivers) {}

    /** Driver in a list: its status without output, and what it asked for. */
    public record ListedDriver(DriverStatus status, String name, String mainClass, int cores, int memoryMebibytes) {
        /** Converts this driver to the form that shells display. */
        public DriverEntry shown() {
            return new DriverEntry(
                    status.submission(),
                    name,
                    status.state().shown(),
                    status.message(),
                    status.worker(),
                    RpcAddress.parse(status.workerAddress())
                            .map(RpcAddress::host)
                            .orElse(""),
                    mainClass,
                    OptionalInt.of(cores),
                    OptionalLong.of(memoryMebibytes),
                    status.submittedMillis(),
                    status.startedMillis(),
                    status.endedMillis(),
                    status.exitStatus(),
                    status.attempt() > 0 ? Map.of("attempt", String.valueOf(status.attempt())) : Map.of());
        }
    }

    /** Kills an application for the reason {@code reason}, which its driver reports. */
    public record KillApplication(ApplicationId application, String reason) {}

    /** Answer to {@link KillApplication}: the application before the kill. */
    public record ApplicationFound(ApplicationEntry application) {}

    /**
     * Registers an application. The sender's endpoint {@code endpoint} receives the messages of {@link
     * ApplicationProtocol}. Each executor needs {@code executorResources}, numbers of addresses by resource. {@code user}
     * runs the driver; {@code submission} is set if a worker runs it, and {@code attempt} if that worker supervises it.
     * Older drivers send none of them. {@code session} says whether the application has registered before.
     */
    public record RegisterApplication(
            String name,
            String endpoint,
            String driver,
            OptionalInt coresMax,
            OptionalInt executorCores,
            int executorMemoryMebibytes,
            Map<String, String> settings,
            Map<String, Integer> executorResources,
            String user,
            Optional<SubmissionId> submission,
            int attempt,
            ApplicationSession session) {
        /** Application that ends when its driver loses the master. */
        public RegisterApplication(
                String name,
                String endpoint,
                String driver,
                OptionalInt coresMax,
                OptionalInt executorCores,
                int executorMemoryMebibytes,
                Map<String, String> settings,
                Map<String, Integer> executorResources,
                String user,
                Optional<SubmissionId> submission,
                int attempt) {
            this(
                    name,
                    endpoint,
                    driver,
                    coresMax,
                    executorCores,
                    executorMemoryMebibytes,
                    settings,
                    executorResources,
                    user,
                    submission,
                    attempt,
                    ApplicationSession.NONE);
        }

        /** Application of an unknown user. */
        public RegisterApplication(
                String name,
                String endpoint,
                String driver,
                OptionalInt coresMax,
                OptionalInt executorCores,
                int executorMemoryMebibytes,
                Map<String, String> settings,
                Map<String, Integer> executorResources) {
            this(
                    name,
                    endpoint,
                    driver,
                    coresMax,
                    executorCores,
                    executorMemoryMebibytes,
                    settings,
                    executorResources,
                    "",
                    Optional.empty(),
                    0);
        }

        /** Application whose executors need cores and memory alone. */
        public RegisterApplication(
                String name,
                String endpoint,
                String driver,
                OptionalInt coresMax,
                OptionalInt executorCores,
                int executorMemoryMebibytes,
                Map<String, String> settings) {
            this(name, endpoint, driver, coresMax, executorCores, executorMemoryMebibytes, settings, Map.of());
        }

        /** Omits the settings, because they contain secrets. */
        @Override
        public String toString() {
            return "register application " + name + " of " + driver;
        }
    }

    /** Answer to {@link RegisterApplication}. {@code term} is that of the master. */
    public record ApplicationRegistered(ApplicationId application, MasterTerm term) {
        /** Answer of a master without a term. */
        public ApplicationRegistered(ApplicationId application) {
            this(application, MasterTerm.NONE);
        }
    }

    /**
     * Sets the total number of executors that an application wants, the hosts that must not run any, and the numbers of
     * its pending tasks by preferred host. The total is that of the default profile; {@code profiles} are the other ones,
     * of which older drivers send none. The message is idempotent, because it contains totals and no differences.
     */
    public record WantExecutors(
            ApplicationId application,
            int total,
            List<String> excludedHosts,
            Map<String, Integer> tasksByHost,
            List<ProfileDemand> profiles) {
        /** Wish for executors of the default profile alone. */
        public WantExecutors(
                ApplicationId application, int total, List<String> excludedHosts, Map<String, Integer> tasksByHost) {
            this(application, total, excludedHosts, tasksByHost, List.of());
        }
    }

    /**
     * Total number of executors of the profile {@code profile} that an application wants, what each needs, and the pending
     * tasks for them by preferred host. What an executor of a profile needs never changes.
     */
    public record ProfileDemand(
            int profile,
            OptionalInt executorCores,
            int executorMemoryMebibytes,
            Map<String, Integer> executorResources,
            int total,
            Map<String, Integer> tasksByHost) {}

    /** Reports that the application cannot reach an executor, so that the master says what it knows about it. */
    public record DoubtExecutor(ApplicationId application, ExecutorId executor) {}

    public record ReleaseExecutors(ApplicationId application, List<ExecutorId> executors, String reason) {}

    public record EndApplication(ApplicationId application, String result) {}

    public record ApplicationEnded(ApplicationId application) {}

    /**
     * Reports that an executor's process has exited or could not be started; {@code exitStatus} is empty in the latter
     * case. Sent by the executor's worker.
     */
    public record ExecutorEnded(
            ApplicationId application,
            ExecutorId executor,
            OptionalInt exitStatus,
            String message,
            List<String> logs) {}

    /**
     * Asks for part of the output of a driver or executor. {@code holder} is the worker that had the part before, or
     * empty.
     */
    public record ReadLog(LogSource source, OutputRange range, String holder) {}

    /** Answer to {@link ReadLog}. */
    public record LogRead(LogChunk chunk) {}

    /**
     * File that a submitter wants to send: its hash, empty if the submitter does not know it yet, and its size in bytes.
     */
    public record OfferedFile(String sha256, long bytes) {}

    /** Asks which files the master does not have. Fails with {@code STORE_FULL} if it has no room for them. */
    public record OfferFiles(List<OfferedFile> files) {}

    /** Answer to {@link OfferFiles}: those of the files that the master lacks, as they were offered. */
    public record FilesWanted(List<OfferedFile> files) {}

    /** Asks how much of an uploaded file the master holds. */
    public record FindContent(ContentId content) {}

    /**
     * Piece of a file of {@code total} bytes, which begins at byte {@code first}. Fails with {@code STORE_FULL} if the
     * master has no room, and with {@code STREAM_DAMAGED} if the whole file has another hash.
     */
    public record TakePiece(ContentId content, long total, long first, Bytes bytes) {}

    /** Answer to {@link FindContent} and {@link TakePiece}. */
    public record ContentFound(UploadStatus status) {}
}
