package dev.hearth.engine.internal.protocol;

import dev.hearth.api.StorageLevel;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.monitor.ThreadView;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;

/** Messages of a driver to its executors. They travel over the connections that the executors opened. */
public final class ExecutorProtocol {
    /** Name of the endpoint at which every executor receives the driver's messages. */
    public static final String ENDPOINT = "executor";

    public static final Protocol PROTOCOL = Protocol.named("executor", MethodHandles.lookup())
            .message(5, Stop.class)
            .message(6, DefineStage.class)
            .message(7, LaunchTasks.class)
            .message(8, ForgetStage.class)
            .message(9, KillTask.class)
            .message(10, DropBroadcast.class)
            .message(11, DropCached.class)
            .message(12, UpdateLocations.class)
            .message(13, DropShuffle.class)
            .message(14, ExecutorLost.class)
            .message(15, PinCached.class)
            .message(20, ThreadsQuestion.class)
            .message(21, ThreadsAnswer.class)
            .message(30, UpdateCachedBlocks.class)
            .message(31, ReplicateBlock.class)
            .message(32, MigrateMapOutput.class)
            .message(40, DefineAttachments.class)
            .message(41, DropResult.class)
            .message(50, UpdateCredential.class)
            .build();

    private ExecutorProtocol() {}

    /**
     * One task attempt to launch. {@code input} contains the elements of the task's partition, or nothing if the task
     * reads them itself. {@code leaves} contains elements that the driver sends for partitions of other branches of the
     * stage.
     */
    public record TaskLaunch(long task, int partition, int attempt, Bytes input, List<BranchInputBody> leaves) {}

    /** Elements that the driver sends to a task for one partition of one branch of the stage. */
    public record BranchInputBody(int branch, int partition, Bytes input) {}

    /** Stops the executor. */
    public record Stop(String reason) {}

    /**
     * Defines the template of a stage, that is, the part that all its tasks share. Sent once, before the first launch
     * that refers to the template.
     */
    public record DefineStage(TemplateId template, StageBody body) {}

    /**
     * Part of a stage that all its tasks share: its pipeline with serialised functions, and its properties. {@code
     * taskCores} are the cores of each task; 0 if they are as in the settings of the executor.
     */
    public record StageBody(
            SourceBody source,
            List<StepBody> steps,
            SinkBody sink,
            Map<String, String> properties,
            int partitions,
            boolean barrier,
            String name,
            List<BranchBody> branches,
            int taskCores) {}

    /**
     * Source of a pipeline. {@code shuffle} is the first shuffle that the source reads, or -1 if it reads none; {@code
     * more} are the remaining shuffles.
     */
    public record SourceBody(
            SourceKind kind,
            int shuffle,
            Bytes function,
            NarrowDependencies parts,
            List<Integer> more,
            boolean descending) {}

    /** Part of a stage's pipeline: the source and steps of one dataset that another branch of the stage reads. */
    public record BranchBody(SourceBody source, List<StepBody> steps) {}

    /**
     * Step of a pipeline, with its serialised user function. {@code dataset} and {@code level} have a meaning only for
     * a persist step.
     */
    public record StepBody(StepKind kind, Bytes function, int dataset, StorageLevel level) {}

    /**
     * Sink of a pipeline. {@code shuffle} is -1 unless the sink writes map output. {@code limit} is the number of
     * reducers of the shuffle, of elements to take, or of keys to sample, depending on {@code kind}. {@code directory},
     * {@code codec} and {@code job} have a meaning only for sinks that save files.
     */
    public record SinkBody(
            SinkKind kind,
            Bytes function,
            int shuffle,
            int limit,
            String directory,
            String codec,
            String job,
            Bytes partitioner) {}

    /** Kinds of source. Messages contain a kind as its ordinal, so constants are only added at the end. */
    public enum SourceKind {
        INPUT,
        GROUPED,
        REDUCED,
        COMBINED,
        PAIRS,
        SORTED,
        COGROUPED,
        JOINED,
        TEXT,
        WHOLE_TEXT,
        BINARY,
        OBJECTS,
        FIXED_RECORDS,
        CHECKPOINT,
        KEPT,
        UNION,
        ZIPPED,
        CROSSED,
        COGROUPED_PARTS,
        JOINED_PARTS
    }

    /** Kinds of step. Messages contain a kind as its ordinal, so constants are only added at the end. */
    public enum StepKind {
        MAP,
        FILTER,
        FLAT_MAP,
        PARTITIONS,
        INDEXED_PARTITIONS,
        MAP_VALUES,
        KEEP,
        FLAT_MAP_VALUES,
        GROUP_KEYS,
        REDUCE_KEYS,
        COMBINE_KEYS
    }

    /** Kinds of sink. Messages contain a kind as its ordinal, so constants are only added at the end. */
    public enum SinkKind {
        COUNT,
        COLLECT,
        REDUCE,
        TAKE,
        FOREACH,
        FOREACH_PARTITION,
        FUNCTION,
        SHUFFLE,
        SHUFFLE_REDUCED,
        SHUFFLE_COMBINED,
        SAMPLE,
        SAVE_TEXT,
        SAVE_OBJECTS
    }

    /**
     * Launches task attempts of one stage attempt. {@code resources} are the addresses that the tasks may use; it is
     * empty if tasks need none.
     */
    public record LaunchTasks(
            TemplateId template, int stage, int stageAttempt, List<TaskLaunch> tasks, List<TaskAddresses> resources) {}

    /** Addresses that the task {@code task} may use, while it runs. */
    public record TaskAddresses(long task, List<ResourceInformation> resources) {}

    /** Removes the template of a stage, to which no later launch refers. */
    public record ForgetStage(TemplateId template) {}

    /**
     * Kills a task attempt. With {@code recall}, only cancels an attempt that has not started. In both cases the
     * executor reports the end of the attempt.
     */
    public record KillTask(long task, boolean interrupt, String reason, boolean recall) {
        public KillKind kind() {
            if (recall) {
                return KillKind.RECALL;
            }
            return interrupt ? KillKind.INTERRUPT : KillKind.END;
        }
    }

    /**
     * Locations of the map outputs of a shuffle as of an {@code epoch}. Sent before the launch of tasks that read them.
     * {@code holderOf} is encoded as {@link LocationMessages} describes, and {@code holders} is empty. If {@code since}
     * is 0, the message replaces all locations, otherwise those that changed since that epoch.
     * <p>Epoch 0 marks the older format. For each map task {@code holderOf} then contains a varint: 1 + the index into
     * {@code holders}, or 0 if the output is missing.
     */
    public record UpdateLocations(
            int shuffle, int maps, List<BlockServerAddress> holders, Bytes holderOf, long epoch, long since) {}

    /**
     * Executor that stores blocks, its host, and the address at which it serves them. The address is empty if other
     * executors cannot reach it.
     */
    public record BlockServerAddress(ExecutorId executor, String host, String address) {}

    /**
     * Reports that {@code executor}, and the executors {@code others}, are lost, so that fetches from them fail at
     * once.
     */
    public record ExecutorLost(ExecutorId executor, List<ExecutorId> others) {}

    /**
     * Lists which other executors cache which partitions of persisted datasets, for the tasks that are launched next.
     */
    public record UpdateCachedBlocks(List<CachedBlock> places) {}

    /** One partition of a persisted dataset, and the executors that cache it. */
    public record CachedBlock(int dataset, int partition, List<BlockServerAddress> holders) {}

    /**
     * Orders the executor to copy a cached block from executor {@code from}. Answered by {@link
     * DriverProtocol.BlockReplicated}.
     */
    public record ReplicateBlock(int dataset, int partition, StorageLevel level, BlockServerAddress from) {}

    /**
     * Orders the executor to take over a map output of executor {@code from}. Answered by {@link
     * DriverProtocol.MapOutputMigrated}.
     */
    public record MigrateMapOutput(int shuffle, int map, BlockServerAddress from) {}

    /** Lists all files attached so far. Sent before the launch of tasks that may read these files. */
    public record DefineAttachments(List<Attachment> attachments) {}

    /**
     * Replaces the credentials of one kind. {@code version} grows with each change of any kind; the text form does not
     * show the content.
     */
    public record UpdateCredential(String kind, long version, Bytes content) {}

    /** Removes the map outputs of a shuffle that no job can read any more. */
    public record DropShuffle(int shuffle) {}

    /** Asks for the stack traces of the executor's threads. */
    public record ThreadsQuestion(ExecutorId executor) {}

    public record ThreadsAnswer(List<ThreadView> threads) {}

    /** Removes the cached blocks of a dataset that the application has unpersisted. */
    public record DropCached(int dataset) {}

    /**
     * Declares that the cached blocks of a dataset cannot be computed again. The executor then never evicts them
     * entirely, but moves them from memory to disk.
     */
    public record PinCached(int dataset) {}

    /** Removes the large result of the task {@code task}, which the driver has fetched or no longer needs. */
    public record DropResult(long task) {}

    /** Removes a broadcast value that the application has destroyed. */
    public record DropBroadcast(long broadcast) {}
}
