package dev.hearth.engine.internal.protocol;

import dev.hearth.api.StorageLevel;
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

/** What a driver tells an executor, over the connection that the executor opened. */
public final class ExecutorProtocol {
    /** The endpoint every executor has. */
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
            .build();

    private ExecutorProtocol() {}

    /**
     * One attempt at one partition; {@code input} is the partition itself when it came from the driver, {@code leaves} those
     * partitions of branches that did.
     */
    public record TaskLaunch(long task, int partition, int attempt, Bytes input, List<BranchInputBody> leaves) {}

    /** A partition of a branch, as it came from the driver. */
    public record BranchInputBody(int branch, int partition, Bytes input) {}

    /** Ends the executor. */
    public record Stop(String reason) {}

    /** What the tasks of a stage share; comes once, before the first launch that names it. */
    public record DefineStage(TemplateId template, StageBody body) {}

    /** A stage's pipeline with the functions as bytes, and what its tasks may ask of it. */
    public record StageBody(
            SourceBody source,
            List<StepBody> steps,
            SinkBody sink,
            Map<String, String> properties,
            int partitions,
            boolean barrier,
            String name,
            List<BranchBody> branches) {}

    /** {@code shuffle} is the first one that it reads, or -1, {@code more} those behind it. */
    public record SourceBody(
            SourceKind kind,
            int shuffle,
            Bytes function,
            NarrowDependencies parts,
            List<Integer> more,
            boolean descending) {}

    /** A dataset that others of the stage are made of. */
    public record BranchBody(SourceBody source, List<StepBody> steps) {}

    /** {@code dataset} and {@code level} are for steps that keep. */
    public record StepBody(StepKind kind, Bytes function, int dataset, StorageLevel level) {}

    /**
     * {@code shuffle} is -1 unless it writes one. {@code limit} is the number of reducers of a shuffle, or of elements to take
     * or keys to sample. {@code directory}, {@code codec} and {@code job} are for sinks that save files.
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

    /** Kinds of source. One travels as its ordinal, so constants are only added at the end. */
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

    /** Kinds of step. One travels as its ordinal, so constants are only added at the end. */
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

    /** Kinds of sink. One travels as its ordinal, so constants are only added at the end. */
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

    /** Attempts to run, all of one stage attempt. */
    public record LaunchTasks(TemplateId template, int stage, int stageAttempt, List<TaskLaunch> tasks) {}

    /** No task will name this template any more. */
    public record ForgetStage(TemplateId template) {}

    /** Tells an attempt to end, or takes it back with {@code recall} if it has not begun; it still reports how it ended. */
    public record KillTask(long task, boolean interrupt, String reason, boolean recall) {
        public KillKind kind() {
            if (recall) {
                return KillKind.RECALL;
            }
            return interrupt ? KillKind.INTERRUPT : KillKind.END;
        }
    }

    /**
     * Where the outputs of a shuffle lie in an {@code epoch}, before a launch that reads it; packed in {@code holderOf} as {@link
     * LocationMessages} says, with {@code holders} empty. Takes the place of what was said before, or tells what changed {@code since}
     * another epoch, where that is not 0. Of epoch 0, as senders said it that knew none: for each map task {@code holderOf} has the
     * place of a holder and one more, or 0, as a number of 7 bits per byte, the lowest first.
     */
    public record UpdateLocations(
            int shuffle, int maps, List<BlockServerAddress> holders, Bytes holderOf, long epoch, long since) {}

    /** An executor that has outputs; its address is empty when nobody can read them from it. */
    public record BlockServerAddress(ExecutorId executor, String host, String address) {}

    /** Another executor, which nobody needs to wait for any more. */
    public record ExecutorLost(ExecutorId executor, List<ExecutorId> others) {}

    /** Where blocks are kept that tasks launched next may begin with, and that are not kept by this executor. */
    public record UpdateCachedBlocks(List<CachedBlock> places) {}

    /** One partition of a kept dataset, with those who keep it. */
    public record CachedBlock(int dataset, int partition, List<BlockServerAddress> holders) {}

    /** Has this executor keep a block too, as {@code from} does; it tells how that went. */
    public record ReplicateBlock(int dataset, int partition, StorageLevel level, BlockServerAddress from) {}

    /** Has this executor hold the output of a map task in place of {@code from}; it tells how that went. */
    public record MigrateMapOutput(int shuffle, int map, BlockServerAddress from) {}

    /** All that was attached by now, before a launch that may ask for it. */
    public record DefineAttachments(List<Attachment> attachments) {}

    /** A shuffle that nobody will read any more. */
    public record DropShuffle(int shuffle) {}

    /** Asks what the threads of the executor's process do. */
    public record ThreadsQuestion(ExecutorId executor) {}

    public record ThreadsAnswer(List<ThreadView> threads) {}

    /** A dataset that is not to be kept any more. */
    public record DropCached(int dataset) {}

    /** A dataset of which nothing is left but what is kept: it does not give way where it cannot go to disk. */
    public record PinCached(int dataset) {}

    /** A large result that nobody wants any more. */
    public record DropResult(long task) {}

    /** A broadcast value that nobody may ask for any more. */
    public record DropBroadcast(long broadcast) {}
}
