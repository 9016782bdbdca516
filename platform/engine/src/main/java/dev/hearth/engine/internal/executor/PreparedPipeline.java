package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.SourceKind;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.StepKind;
import dev.hearth.engine.internal.task.TaskInput;
import dev.hearth.engine.internal.task.TaskValue;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stage ready to run: its branches, and the sink's function if it cannot change. Immutable; shared by all cores. */
final class PreparedPipeline {
    final StagePlan plan;
    private final TaskServices services;
    private final Pipeline.Sink sink;
    private final PreparedBranch root;
    private final PreparedBranch[] branches;
    private final @Nullable Object ending; // the sink's function; null where each attempt reads its own

    PreparedPipeline(StagePlan plan, TaskServices services) {
        Pipeline pipeline = plan.pipeline();
        this.plan = plan;
        this.services = services;
        this.sink = pipeline.sink();
        boolean guarded = handsOut(pipeline.source(), pipeline.steps())
                || pipeline.branches().stream().anyMatch(branch -> handsOut(branch.source(), branch.steps()));
        this.root = new PreparedBranch(pipeline.source(), pipeline.steps(), guarded, services);
        this.branches = new PreparedBranch[pipeline.branches().size()];
        for (int i = 0; i < branches.length; i++) {
            Pipeline.Branch branch = pipeline.branches().get(i);
            branches[i] = new PreparedBranch(branch.source(), branch.steps(), guarded, services);
        }
        this.ending = PreparedBranch.prepare(sink.function(), subject(), services);
    }

    /** Whether the program's code is given iterators, and so may catch what they throw. */
    private static boolean handsOut(Pipeline.Source source, List<Pipeline.Step> steps) {
        return source.kind() == SourceKind.ZIPPED
                || steps.stream()
                        .map(Pipeline.Step::kind)
                        .anyMatch(kind -> kind == StepKind.PARTITIONS || kind == StepKind.INDEXED_PARTITIONS);
    }

    /**
     * Runs one attempt over its input and returns what the driver gets. A failure to read that the program's code caught is how
     * the attempt ends all the same; so is one that it threw something else for.
     */
    TaskValue run(TaskAttempt attempt, TaskInput input) throws Exception {
        TaskValue value;
        try {
            value = runOnce(attempt, input);
        } catch (Throwable thrown) {
            throw Thrown.unchecked(attempt.broken().orElse(thrown));
        }
        if (attempt.broken().isPresent()) {
            throw Thrown.unchecked(attempt.broken().get());
        }
        return value;
    }

    private TaskValue runOnce(TaskAttempt attempt, TaskInput input) throws Exception {
        Object function = ending == null ? read(attempt) : ending;
        OpenParts parts = new OpenParts(attempt, branches, input);
        Iterator<?> elements = root.open(parts, attempt.partition(), input);
        TaskValue value = TaskSinks.drain(sink, attempt, function, elements);
        parts.complete();
        return value;
    }

    private Object read(TaskAttempt attempt) {
        long began = services.clocks().nanos();
        Object function = sink.function().open(services.objects(), subject());
        attempt.deserializeNanos += services.clocks().nanos() - began;
        return function;
    }

    private String subject() {
        return "function of " + sink.kind();
    }
}
