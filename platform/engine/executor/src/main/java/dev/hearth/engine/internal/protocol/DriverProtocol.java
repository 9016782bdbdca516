package dev.hearth.engine.internal.protocol;

import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What an executor tells its driver, and the driver's answers. Executors connect; the driver listens. */
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
     * Asks to be given tasks. A second one over the same connection changes nothing. Other executors read this one's blocks at
     * {@code blocks}, a host and a port; none can when it is empty.
     */
    public record Register(ExecutorId executor, String host, int cores, String blocks) {}

    /** Asks for the application's code, before an executor registers; {@code contents} asks for hashes, to fetch it by. */
    public record CodeQuestion(ExecutorId executor, boolean contents) {}

    /** What an executor needs to have before it can run anything; the jars are in the order of the class path. */
    public record CodeAnswer(
            String application, List<CodeFile> jars, Map<String, String> settings, List<FrozenBundle> bundles) {}

    /** A jar on the driver's machine; {@code tag} is its state there, {@code content} the hash of its bytes if that was asked for. */
    public record CodeFile(String file, long bytes, String tag, String content) {}

    /** The answer: empty {@code refusal}, then what the executor needs; or why it is refused, and it ends. {@code jars} are in {@link CodeAnswer}. */
    public record Registration(
            String refusal,
            String application,
            List<String> jars,
            Map<String, String> settings,
            long heartbeatMillis) {}

    public record Heartbeat(ExecutorId executor) {}

    /** Goes with a heartbeat where tasks have run for a while: how far they are. */
    public record Progress(ExecutorId executor, List<RunningTask> running) {}

    /** A task that has begun, how long ago, and what it has read since. */
    public record RunningTask(long task, long ranMillis, long recordsRead) {}

    /** Constants are only added at the end; one that the driver does not know counts as a failure. */
    public enum Outcome {
        FAILED,
        SUCCEEDED,
        KILLED,
        EXECUTOR_LOST,
        FETCH_FAILED,
        COMMIT_DENIED,
        RECALLED
    }

    /** How attempts ended, gathered since the last message. */
    public record TaskEnds(ExecutorId executor, List<End> ends) {}

    /** The end of one attempt; {@code parts} are what it added to accumulators. */
    public record End(
            long task,
            Outcome outcome,
            Value value,
            FailureText failure,
            Optional<FetchFailureBody> missing,
            TaskMetrics metrics,
            List<AccumulatorUpdateBody> parts) {}

    /**
     * A number, which COUNT gives, or an object's bytes, or, when all are empty, nothing. {@code held} bytes lie at the executor, as
     * stream {@code result/task}, until it is told that they are not needed any more.
     */
    public record Value(OptionalLong number, Bytes bytes, OptionalLong held) {}

    public record AccumulatorUpdateBody(long accumulator, Bytes part) {}

    /** An exception as text and frames; {@code type} is its class's name. */
    public record FailureText(String type, String text, List<Frame> frames) {}

    /** Output of a map task that could not be read; the executor that had it may be unknown. */
    public record FetchFailureBody(
            int shuffle, int map, Optional<ExecutorId> executor, String host, String reason, List<Integer> others) {}

    /** Whether an attempt may publish its output. */
    public record CommitQuestion(ExecutorId executor, int stage, int stageAttempt, int partition, int attempt) {}

    public record CommitAnswer(boolean may) {}

    /** A task of a barrier stage has come to its {@code round}th meeting; the answer comes when all have. */
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

    /** Where the tasks of a barrier stage attempt run. */
    public record AddressesQuestion(ExecutorId executor, int stage, int stageAttempt) {}

    public record AddressesAnswer(List<Address> addresses) {}

    public record Address(String host, String executor) {}

    /** Asks for a broadcast value; a failure when it was destroyed. */
    public record BroadcastQuestion(ExecutorId executor, long broadcast) {}

    /** The value itself, unless it lies in a file. */
    public record BroadcastAnswer(Bytes value, Optional<BroadcastFile> file) {}

    /**
     * A broadcast value in a file of the driver's machine, which streams give in chunks of {@code chunkBytes}. So do the {@code
     * holders}, who asked before, as far as they have them; {@code checksum} is the CRC32C of the whole.
     */
    public record BroadcastFile(
            String file, long bytes, int chunkBytes, long checksum, List<BlockServerAddress> holders) {
        /** The same, to be had of the driver alone. */
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

    /** Asks for the number by which records of all executors name a class; {@code entry} is its name and its form's fingerprint. */
    public record ClassQuestion(ExecutorId executor, String entry) {}

    public record ClassAnswer(int number) {}

    /** Asks which class a number in the bytes of another executor stands for. */
    public record ClassNameQuestion(ExecutorId executor, int number) {}

    /** Empty when no class has that number. */
    public record ClassNameAnswer(Optional<String> entry) {}

    /** What a block of a kept dataset takes on an executor by now; nothing when it is gone. The executor keeps so much at most. */
    public record BlockChanged(
            ExecutorId executor,
            long memoryMax,
            int dataset,
            int partition,
            long records,
            long memoryBytes,
            long diskBytes) {}

    /** The end of an order to keep a block too; {@code failure} says why it is not kept, and is empty when it is. */
    public record BlockReplicated(ExecutorId executor, int dataset, int partition, String failure) {}

    /** The end of an order to take over the output of a map task, in the same way. */
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
