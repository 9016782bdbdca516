package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.engine.internal.plan.TaskResult;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pipeline of one stage, ready to run on this executor: its branches, each of which computes one dataset of the stage,
 * and, if all attempts can share it, the sink's deserialised user function. All cores share this object. Immutable.
 */
final class PreparedPipeline {
    private static final int NOWHERE = -1;

    final StagePlan plan;
    private final TaskServices services;
    private final Sink sink;
    private final PreparedBranch root;
    private final PreparedBranch[] branches;
    private final @Nullable Object sinkFunction; // function of the sink; null if each attempt deserialises it

    PreparedPipeline(StagePlan plan, TaskServices services) {
        Pipeline pipeline = plan.pipeline();
        this.plan = plan;
        this.services = services;
        this.sink = pipeline.sink();
        this.root = new PreparedBranch(pipeline.source(), pipeline.steps(), lastOfRoot(pipeline), services);
        // Elements of other branches pass through the functions of every branch that reads from them.
        int lastOfBranches = passesIterators(pipeline) ? Integer.MAX_VALUE : NOWHERE;
        this.branches = new PreparedBranch[pipeline.branches().size()];
        for (int i = 0; i < branches.length; i++) {
            Pipeline.Branch branch = pipeline.branches().get(i);
            branches[i] = new PreparedBranch(branch.source(), branch.steps(), lastOfBranches, services);
        }
        this.sinkFunction = PreparedBranch.prepare(sink.function(), subject(), services);
    }

    /**
     * Returns the index of the last step of the root branch whose user function receives an iterator. Returns the
     * number of steps if the function of the sink receives one, and {@code NOWHERE} if no function does.
     */
    private static int lastOfRoot(Pipeline pipeline) {
        List<Step> steps = pipeline.steps();
        return pipeline.sink().passesIterator() ? steps.size() : lastIteratorStep(steps);
    }

    /**
     * Whether any user function of the stage receives an iterator. Such a function could catch a read failure that the
     * iterator throws, so the failure must be recorded.
     */
    private static boolean passesIterators(Pipeline pipeline) {
        return lastOfRoot(pipeline) > NOWHERE
                || pipeline.source().passesIterator()
                || pipeline.branches().stream()
                        .anyMatch(branch ->
                                branch.source().passesIterator() || lastIteratorStep(branch.steps()) > NOWHERE);
    }

    private static int lastIteratorStep(List<Step> steps) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i).passesIterator()) {
                return i;
            }
        }
        return NOWHERE;
    }

    /**
     * Runs one attempt and returns its result. A failed read fails the attempt, even if a user function caught the
     * exception or threw another one.
     */
    TaskResult run(TaskAttempt attempt, TaskInput input) throws Exception {
        TaskResult value;
        try {
            value = runOnce(attempt, input);
        } catch (Throwable thrown) {
            throw SneakyThrow.unchecked(attempt.readFailure().orElse(thrown));
        }
        if (attempt.readFailure().isPresent()) {
            throw SneakyThrow.unchecked(attempt.readFailure().get());
        }
        return value;
    }

    private TaskResult runOnce(TaskAttempt attempt, TaskInput input) throws Exception {
        Object function = sinkFunction == null ? read(attempt) : sinkFunction;
        BranchReader parts = new BranchReader(attempt, branches, input);
        Iterator<?> elements = root.open(parts, attempt.partition(), input);
        TaskResult value = TaskSinks.drain(sink, attempt, function, elements);
        parts.complete();
        return value;
    }

    private Object read(TaskAttempt attempt) {
        long began = services.clocks().nanos();
        Object function = sink.function().open(services.objects(), subject());
        attempt.countDeserialize(services.clocks().nanos() - began);
        return function;
    }

    private String subject() {
        return "function of " + sink.label();
    }
}
