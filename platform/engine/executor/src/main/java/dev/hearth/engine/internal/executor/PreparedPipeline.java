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

/** A stage ready to run: its branches, and the sink's function if it cannot change. Immutable; shared by all cores. */
final class PreparedPipeline {
    private static final int NOWHERE = -1;

    final StagePlan plan;
    private final TaskServices services;
    private final Sink sink;
    private final PreparedBranch root;
    private final PreparedBranch[] branches;
    private final @Nullable Object ending; // the sink's function; null where each attempt reads its own

    PreparedPipeline(StagePlan plan, TaskServices services) {
        Pipeline pipeline = plan.pipeline();
        this.plan = plan;
        this.services = services;
        this.sink = pipeline.sink();
        this.root = new PreparedBranch(pipeline.source(), pipeline.steps(), lastOfRoot(pipeline), services);
        int lastOfBranches =
                handsOut(pipeline) ? Integer.MAX_VALUE : NOWHERE; // theirs go through all that is behind them
        this.branches = new PreparedBranch[pipeline.branches().size()];
        for (int i = 0; i < branches.length; i++) {
            Pipeline.Branch branch = pipeline.branches().get(i);
            branches[i] = new PreparedBranch(branch.source(), branch.steps(), lastOfBranches, services);
        }
        this.ending = PreparedBranch.prepare(sink.function(), subject(), services);
    }

    /** The last step of the root, or its sink behind all of them, that gives the program's code an iterator. */
    private static int lastOfRoot(Pipeline pipeline) {
        List<Step> steps = pipeline.steps();
        return pipeline.sink().passesIterator() ? steps.size() : lastThatHandsOut(steps);
    }

    /** Whether the program's code is given iterators, and so may catch what they throw. */
    private static boolean handsOut(Pipeline pipeline) {
        return lastOfRoot(pipeline) > NOWHERE
                || pipeline.source().passesIterator()
                || pipeline.branches().stream()
                        .anyMatch(branch ->
                                branch.source().passesIterator() || lastThatHandsOut(branch.steps()) > NOWHERE);
    }

    private static int lastThatHandsOut(List<Step> steps) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i).passesIterator()) {
                return i;
            }
        }
        return NOWHERE;
    }

    /**
     * Runs one attempt over its input and returns what the driver gets. A failure to read that the program's code caught is how
     * the attempt ends all the same; so is one that it threw something else for.
     */
    TaskResult run(TaskAttempt attempt, TaskInput input) throws Exception {
        TaskResult value;
        try {
            value = runOnce(attempt, input);
        } catch (Throwable thrown) {
            throw SneakyThrow.unchecked(attempt.broken().orElse(thrown));
        }
        if (attempt.broken().isPresent()) {
            throw SneakyThrow.unchecked(attempt.broken().get());
        }
        return value;
    }

    private TaskResult runOnce(TaskAttempt attempt, TaskInput input) throws Exception {
        Object function = ending == null ? read(attempt) : ending;
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
