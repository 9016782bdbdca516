package dev.hearth.engine.internal.protocol;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BranchBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BranchInputBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SinkBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SourceBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StageBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StepBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskAddresses;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Converts stage plans and launches to messages for executors in other processes, and back. Stateless. */
public final class StageMessages {
    private static final int LAUNCH_BYTES = 64; // estimated bytes of a task launch without its input

    private static final int OTHER_PROFILE = -1;

    private StageMessages() {}

    /**
     * Returns the failure to report if the user functions of the stage are too large for a message of {@code
     * messageBytesMax} bytes; empty if they fit.
     */
    public static Optional<HearthException> tooLarge(StageBody body, int messageBytesMax) {
        SinkBody sink = body.sink();
        long functions = bytes(body.source(), body.steps())
                + sink.function().size()
                + sink.partitioner().size();
        for (BranchBody branch : body.branches()) {
            functions += bytes(branch.source(), branch.steps());
        }
        long most = bytesMax(messageBytesMax);
        return functions > most ? Optional.of(tooLarge("functions of the job", functions, most)) : Optional.empty();
    }

    private static long bytes(SourceBody source, List<StepBody> steps) {
        long functions = source.function().size();
        for (StepBody step : steps) {
            functions += step.function().size();
        }
        return functions;
    }

    /**
     * Converts the part of the stage {@code plan} that all its tasks share to a message. Serialises user functions that
     * are present as objects; runs no user code.
     */
    public static StageBody body(StagePlan plan, UserObjectSerializer objects) {
        Pipeline pipeline = plan.pipeline();
        PipelineWriter writer = new PipelineWriter(objects);
        return new StageBody(
                writer.source(pipeline.source()),
                writer.steps(pipeline.steps()),
                writer.sink(pipeline.sink()),
                pipeline.properties(),
                plan.partitions(),
                plan.barrier(),
                plan.name(),
                pipeline.branches().stream()
                        .map(branch -> new BranchBody(writer.source(branch.source()), writer.steps(branch.steps())))
                        .toList(),
                plan.profile().isDefault() ? 0 : plan.profile().needs().cpus());
    }

    /**
     * Returns the id of a stage's template: the first 128 bits of the SHA-256 hash over everything that the stage's
     * tasks share.
     */
    public static TemplateId id(StageBody body) {
        MessageDigest digest = ContentId.digest();
        add(digest, body.source(), body.steps());
        for (BranchBody branch : body.branches()) {
            add(digest, branch.source(), branch.steps());
        }
        SinkBody sink = body.sink();
        add(digest, "sink " + sink.kind() + " " + sink.shuffle() + " " + sink.limit());
        add(digest, sink.directory());
        add(digest, sink.codec());
        add(digest, sink.job());
        add(digest, sink.function());
        add(digest, sink.partitioner());
        new TreeMap<>(body.properties()).forEach((key, value) -> {
            add(digest, "property " + key);
            add(digest, value);
        });
        add(digest, "tasks " + body.partitions() + " " + body.barrier() + " " + body.taskCores());
        add(digest, body.name());
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new TemplateId(hash.getLong(), hash.getLong());
    }

    private static void add(MessageDigest digest, SourceBody source, List<StepBody> steps) {
        add(
                digest,
                "source " + source.kind() + " " + PipelineReader.shuffles(source) + " " + source.descending() + " "
                        + source.parts());
        add(digest, source.function());
        for (StepBody step : steps) {
            add(digest, "step " + step.kind() + " " + step.dataset() + " " + step.level());
            add(digest, step.function());
        }
    }

    /**
     * Converts a message to the plan of a stage in an executor's process. The inputs arrive later, with the launches.
     */
    public static StagePlan plan(StageBody body) {
        Sink sink = PipelineReader.sink(body.sink());
        Pipeline pipeline = new Pipeline(
                PipelineReader.source(body.source()),
                PipelineReader.steps(body.steps()),
                sink,
                body.properties(),
                body.branches().stream()
                        .map(branch -> new Pipeline.Branch(
                                PipelineReader.source(branch.source()), PipelineReader.steps(branch.steps())))
                        .toList());
        return new StagePlan(
                sink instanceof Sink.ShuffleWrite write ? write.shuffle() : StagePlan.RESULT,
                pipeline,
                PartitionInputs.NONE,
                body.partitions(),
                List.of(),
                PreferredLocations.ANYWHERE,
                body.barrier(),
                body.name(),
                "",
                List.of(),
                false,
                profile(body.taskCores()));
    }

    /** An executor needs to know the cores of tasks alone; their addresses come with each launch. */
    private static TaskProfile profile(int taskCores) {
        return taskCores == 0
                ? TaskProfile.DEFAULT
                : new TaskProfile(OTHER_PROFILE, OTHER_PROFILE, new TaskNeeds(taskCores, Map.of()));
    }

    /** Returns the input of a task in the form that its launch message contains. */
    public static TaskInput input(TaskLaunch launch) {
        if (launch.leaves().isEmpty()) {
            return input(launch.input());
        }
        return new TaskInput.PerBranch(launch.leaves().stream()
                .map(leaf -> new TaskInput.BranchInput(leaf.branch(), leaf.partition(), input(leaf.input())))
                .toList());
    }

    private static TaskInput input(Bytes bytes) {
        return bytes.size() == 0 ? TaskInput.NONE : new TaskInput.Encoded(bytes);
    }

    /** Packs a batch of launches into as few messages as the size limit allows, in order. */
    public static List<LaunchTasks> launches(
            TemplateId template, LaunchBatch batch, UserObjectSerializer objects, int messageBytesMax) {
        long most = bytesMax(messageBytesMax);
        List<LaunchTasks> messages = new ArrayList<>();
        List<TaskLaunch> tasks = new ArrayList<>();
        List<TaskAddresses> resources = new ArrayList<>();
        long bytes = 0;
        for (int index = 0; index < batch.size(); index++) {
            int partition = batch.partition(index);
            TaskLaunch launch = launch(batch, index, objects);
            long input = launch.input().size();
            for (BranchInputBody leaf : launch.leaves()) {
                input += LAUNCH_BYTES + leaf.input().size();
            }
            if (input > most) {
                throw tooLarge("partition " + partition, input, most);
            }
            long weight = LAUNCH_BYTES + input;
            if (bytes + weight > most && !tasks.isEmpty()) {
                messages.add(message(template, batch, tasks, resources));
                tasks.clear();
                resources.clear();
                bytes = 0;
            }
            tasks.add(launch);
            if (!batch.resources(index).isEmpty()) {
                resources.add(new TaskAddresses(
                        launch.task(), List.copyOf(batch.resources(index).values())));
            }
            bytes += weight;
        }
        messages.add(message(template, batch, tasks, resources));
        return messages;
    }

    private static LaunchTasks message(
            TemplateId template, LaunchBatch batch, List<TaskLaunch> tasks, List<TaskAddresses> resources) {
        return new LaunchTasks(
                template, batch.stage(), batch.stageAttempt(), List.copyOf(tasks), List.copyOf(resources));
    }

    private static TaskLaunch launch(LaunchBatch batch, int index, UserObjectSerializer objects) {
        int partition = batch.partition(index);
        TaskInput input = batch.plan().inputs().input(partition);
        Bytes own = Bytes.EMPTY;
        List<BranchInputBody> leaves = List.of();
        if (input instanceof TaskInput.PerBranch several) {
            leaves = several.leaves().stream()
                    .map(leaf -> new BranchInputBody(leaf.branch(), leaf.partition(), bytes(leaf.input(), objects)))
                    .toList();
        } else {
            own = bytes(input, objects);
        }
        return new TaskLaunch(batch.task(index), partition, batch.attempt(index), own, leaves);
    }

    private static long bytesMax(int messageBytesMax) {
        return (long) messageBytesMax - MessageBounds.ENVELOPE_BYTES;
    }

    private static HearthException tooLarge(String what, long bytes, long most) {
        return ErrorCode.MESSAGE_TOO_LARGE.failure(what + ": " + bytes + " bytes (expected: at most " + most
                + ", from hearth.rpc.message.maxSize); make it smaller or use more partitions, or raise the setting");
    }

    private static Bytes bytes(TaskInput input, UserObjectSerializer objects) {
        if (input instanceof TaskInput.Encoded encoded) {
            return encoded.bytes();
        }
        Object[] elements = ((TaskInput.Shared) input).elements();
        return elements.length == 0 ? Bytes.EMPTY : objects.write(elements, "elements given to parallelize");
    }

    private static void add(MessageDigest digest, String text) {
        add(digest, Bytes.owning(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void add(MessageDigest digest, Bytes bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.size()));
        bytes.read(digest::update);
    }
}
