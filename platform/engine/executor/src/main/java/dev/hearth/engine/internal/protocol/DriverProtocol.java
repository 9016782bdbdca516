package dev.hearth.engine.internal.protocol;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCredential;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Messages of an executor to its driver, and the driver's answers. Executors connect; the driver listens. */
public final class DriverProtocol {
    public static final Protocol PROTOCOL = Protocol.named("driver", MethodHandles.lookup())
            .message(1, Register.class)
            .message(2, Registration.class)
            .message(4, Heartbeat.class)
            .message(5, TaskEnds.class)
            .message(6, CommitQuestion.class)
            .message(7, CommitAnswer.class)
            .message(8, BarrierWaitQuestion.class)
            .message(9, BarrierWaitAnswer.class)
            .message(10, AddressesQuestion.class)
            .message(11, AddressesAnswer.class)
            .message(12, BroadcastQuestion.class)
            .message(13, BroadcastAnswer.class)
            .message(14, BlockChanged.class)
            .message(15, ClassQuestion.class)
            .message(16, ClassAnswer.class)
            .message(17, ClassNameQuestion.class)
            .message(18, ClassNameAnswer.class)
            .message(19, Progress.class)
            .message(30, BlockReplicated.class)
            .message(31, MapOutputMigrated.class)
            .message(40, CodeQuestion.class)
            .message(41, CodeAnswer.class)
            .build();

    private DriverProtocol() {}

    /**
     * Registers an executor for tasks. Idempotent per connection. {@code blocks} is the host and port at which other
     * executors fetch this executor's blocks; empty if they cannot reach that port. {@code resources} are the addresses
     * that its tasks may use. {@code service} takes over its map outputs.
     */
    public record Register(
            ExecutorId executor,
            String host,
            int cores,
            String blocks,
            List<ResourceInformation> resources,
            ServedBy service) {
        /** Registers an executor that keeps its map outputs. */
        public Register(
                ExecutorId executor, String host, int cores, String blocks, List<ResourceInformation> resources) {
            this(executor, host, cores, blocks, resources, ServedBy.ITSELF);
        }
    }

    /**
     * Shuffle service that has the map outputs of an executor: the id that stands for it in locations, its address, and
     * the scope in which it serves the application. All are empty if there is none.
     */
    public record ServedBy(String holder, String address, String scope) {
        /** No service: the executor serves its own map outputs. */
        public static final ServedBy ITSELF = new ServedBy("", "", "");

        public boolean isItself() {
            return holder.isEmpty();
        }
    }

    /**
     * Asks for the code of the application, before the executor registers. If {@code contents} is set, the answer also
     * contains the hash of each jar.
     */
    public record CodeQuestion(ExecutorId executor, boolean contents) {}

    /** Code that an executor loads before it registers. The jars are in class-path order. */
    public record CodeAnswer(
            String application, List<CodeFile> jars, Map<String, String> settings, List<FrozenBundle> bundles) {}

    /**
     * Jar on the driver's machine. {@code tag} identifies the state of the file, to detect a later change. {@code
     * content} is the hash of the file's bytes; empty unless the {@link CodeQuestion} requested hashes.
     */
    public record CodeFile(String file, long bytes, String tag, String content) {}

    /**
     * Answer to {@link Register}. {@code refusal} is the reason why the executor must end; empty if the executor is
     * registered. {@code jars} and {@code settings} are empty, as {@link CodeAnswer} has already delivered them. {@code
     * credentials} are the latest of each kind.
     */
    public record Registration(
            String refusal,
            String application,
            List<String> jars,
            Map<String, String> settings,
            long heartbeatMillis,
            List<UpdateCredential> credentials) {
        /**
         * Refusal sent to an executor that registers after the application has ended. The executor does not treat it as
         * an error.
         */
        public static final String APPLICATION_ENDED = "the application has ended";

        /** The answer to an executor that is refused for this reason. */
        public static Registration refused(String reason) {
            return new Registration(reason, "", List.of(), Map.of(), 0, List.of());
        }
    }

    public record Heartbeat(ExecutorId executor) {}

    /**
     * Progress of the tasks on one executor that have run for a while. Sent with each heartbeat, unless there is none.
     */
    public record Progress(ExecutorId executor, List<RunningTask> running) {}

    /** A running task, with its run time so far and the number of records that it has read. */
    public record RunningTask(long task, long ranMillis, long recordsRead) {}

    /**
     * Outcome of a task attempt. Constants are only added at the end; the driver treats an unknown constant as {@code
     * FAILED}.
     */
    public enum Outcome {
        FAILED,
        SUCCEEDED,
        KILLED,
        EXECUTOR_LOST,
        FETCH_FAILED,
        COMMIT_DENIED,
        RECALLED
    }

    /** Reports a batch of ended task attempts. */
    public record TaskEnds(ExecutorId executor, List<End> ends) {}

    /**
     * End of one task attempt. {@code parts} contains the attempt's accumulator updates, and {@code missing} the map
     * outputs that it could not fetch, if that was the failure.
     */
    public record End(
            long task,
            Outcome outcome,
            Value value,
            FailureText failure,
            Optional<FetchFailureBody> missing,
            TaskMetrics metrics,
            List<AccumulatorUpdateBody> parts) {}

    /**
     * Result of a task. It is a {@code number} for a count, the {@code bytes} of an object, a {@code held} result, or
     * nothing if all three are empty. A held result stays on the executor, which serves it as stream {@code
     * result/task} until the driver drops it; {@code held} is its size.
     */
    public record Value(OptionalLong number, Bytes bytes, OptionalLong held) {}

    public record AccumulatorUpdateBody(long accumulator, Bytes part) {}

    /**
     * Exception of a task as text and stack frames; {@code type} is the name of its class. {@code permanent} means that
     * every retry of the task would fail in the same way. Otherwise a retry may succeed. {@code thrown} is the text
     * without the causes, which {@code causes} lists; both are empty in messages of older executors.
     */
    public record FailureText(
            String type, String text, List<Frame> frames, boolean permanent, String thrown, List<CauseText> causes) {}

    /** Cause of an exception of a task, as text and stack frames. */
    public record CauseText(String text, List<Frame> frames) {}

    /**
     * Map outputs of one shuffle that a task could not fetch: that of {@code map}, and those of {@code others}. {@code
     * executor} should have them; empty if it is not known.
     */
    public record FetchFailureBody(
            int shuffle, int map, Optional<ExecutorId> executor, String host, String reason, List<Integer> others) {}

    /** Asks whether a task attempt may commit its output. */
    public record CommitQuestion(ExecutorId executor, int stage, int stageAttempt, int partition, int attempt) {}

    public record CommitAnswer(boolean may) {}

    /**
     * Reports that a task has reached the barrier numbered {@code round}. The driver answers once all tasks of the
     * stage attempt have reached that barrier.
     */
    public record BarrierWaitQuestion(
            ExecutorId executor,
            int stage,
            int stageAttempt,
            int partition,
            int partitions,
            int round,
            boolean gathers,
            String message) {}

    public record BarrierWaitAnswer(List<String> messages) {}

    /** Asks for the addresses of the executors that run the tasks of a barrier stage attempt. */
    public record AddressesQuestion(ExecutorId executor, int stage, int stageAttempt) {}

    public record AddressesAnswer(List<Address> addresses) {}

    public record Address(String host, String executor) {}

    /** Asks for a broadcast value. The request fails if the value has been destroyed. */
    public record BroadcastQuestion(ExecutorId executor, long broadcast) {}

    /**
     * Answer to {@link BroadcastQuestion}: either the serialised value itself, or the description of a file that
     * contains the value.
     */
    public record BroadcastAnswer(Bytes value, Optional<BroadcastFile> file) {}

    /**
     * Broadcast value in a file on the driver's machine. The driver serves the file in chunks of {@code chunkBytes}.
     * The {@code holders} are executors that requested the value earlier and serve the chunks they have. {@code
     * checksum} is the CRC32C of the whole value.
     */
    public record BroadcastFile(
            String file, long bytes, int chunkBytes, long checksum, List<BlockServerAddress> holders) {
        /**
         * Returns a description of the same file without {@code holders}, so that its chunks are fetched from the
         * driver only.
         */
        public BroadcastFile fromDriver() {
            return new BroadcastFile(file, bytes, chunkBytes, checksum, List.of());
        }

        public int chunks() {
            return Math.toIntExact((bytes + chunkBytes - 1) / chunkBytes);
        }

        public long offset(int chunk) {
            return (long) chunk * chunkBytes;
        }

        public long bytes(int chunk) {
            return Math.min(chunkBytes, bytes - offset(chunk));
        }
    }

    /**
     * Asks for the number of a class, which the driver assigns at the first request. Serialised records contain this
     * number in place of the class name. {@code entry} is the class name with a fingerprint of the fields of the class.
     */
    public record ClassQuestion(ExecutorId executor, String entry) {}

    public record ClassAnswer(int number) {}

    /**
     * Asks for the class that has the number {@code number}. Serialised records contain such numbers in place of class
     * names, and all processes of the application use the same ones. The asking executor has found the number in
     * records that another executor serialised.
     */
    public record ClassNameQuestion(ExecutorId executor, int number) {}

    /**
     * Answer to {@link ClassNameQuestion}. {@code entry} is the class name with the fingerprint of its fields; empty if
     * no class has that number.
     */
    public record ClassNameAnswer(Optional<String> entry) {}

    /**
     * Reports the size of a cached block on an executor. The size is zero if the block has been evicted. {@code
     * memoryMax} is the executor's memory for blocks and tasks.
     */
    public record BlockChanged(
            ExecutorId executor,
            long memoryMax,
            int dataset,
            int partition,
            long records,
            long memoryBytes,
            long diskBytes) {}

    /** Outcome of a {@link ExecutorProtocol.ReplicateBlock}; {@code failure} is empty if the block has been replicated. */
    public record BlockReplicated(ExecutorId executor, int dataset, int partition, String failure) {}

    /** Outcome of a {@link ExecutorProtocol.MigrateMapOutput}; {@code failure} is empty if the output has been migrated. */
    public record MapOutputMigrated(ExecutorId executor, int shuffle, int map, String failure) {}

    /** One line of a stack trace. */
    public record Frame(String type, String method, String file, int line) {
        public static Frame of(StackTraceElement element) {
            String file = element.getFileName();
            return new Frame(
                    element.getClassName(), element.getMethodName(), file == null ? "" : file, element.getLineNumber());
        }

        public StackTraceElement element() {
            return new StackTraceElement(type, method, file.isEmpty() ? null : file, line);
        }
    }
}
