package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.StepKind;
import dev.hearth.engine.internal.serial.Capture;
import dev.hearth.engine.internal.task.TaskInput;
import dev.hearth.engine.internal.task.TaskValue;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stage ready to run: functions that cannot change are at hand, all others are read anew for every attempt. Immutable;
 * shared by all cores.
 */
final class PreparedPipeline {
    private static final Object ABSENT = new Object();

    final StagePlan plan;
    private final Pipeline pipeline;
    private final TaskServices services;
    private final @Nullable Object[]
            functions; // of the source, the steps and the sink; null where each attempt reads its own
    private final boolean allShared;
    private final boolean keeps;

    PreparedPipeline(StagePlan plan, TaskServices services) {
        this.plan = plan;
        this.pipeline = plan.pipeline();
        this.services = services;
        List<Pipeline.Step> steps = pipeline.steps();
        this.functions = new @Nullable Object[steps.size() + 2];
        boolean all = true;
        for (int place = 0; place < functions.length; place++) {
            Capture capture = capture(place);
            functions[place] = capture == Capture.NONE
                    ? ABSENT
                    : capture.isShared() ? capture.open(services.objects(), subject(place)) : null;
            all &= functions[place] != null;
        }
        this.allShared = all;
        this.keeps = steps.stream().anyMatch(step -> step.kind() == StepKind.KEEP);
    }

    /** Runs one attempt over its input and returns what the driver gets. */
    TaskValue run(TaskAttempt attempt, TaskInput input) throws Exception {
        return keeps ? runKeeping(attempt, input) : run(attempt, input, KeptSteps.NONE);
    }

    private TaskValue runKeeping(TaskAttempt attempt, TaskInput input) throws Exception {
        KeptSteps kept = new KeptSteps(attempt, pipeline.steps());
        TaskValue value = run(attempt, input, kept);
        kept.complete();
        return value;
    }

    /** Runs from the last step on whose elements are kept, else from the source. */
    private TaskValue run(TaskAttempt attempt, TaskInput input, KeptSteps kept) throws Exception {
        int from = kept.found() + 1;
        @Nullable Object[] opened = allShared ? functions : open(attempt, from);
        Iterator<?> elements = from == 0 ? source(attempt, input, opened[0]) : kept.elements();
        List<Pipeline.Step> steps = pipeline.steps();
        for (int i = from; i < steps.size(); i++) {
            Pipeline.Step step = steps.get(i);
            elements = step.kind() == StepKind.KEEP
                    ? kept.keep(step.keeping(), elements)
                    : TaskSteps.step(step.kind(), attempt, function(opened, i + 1), elements);
        }
        return TaskSinks.drain(pipeline.sink(), attempt, function(opened, opened.length - 1), elements);
    }

    private Iterator<?> source(TaskAttempt attempt, TaskInput input, @Nullable Object function) throws Exception {
        Pipeline.Source source = pipeline.source();
        if (source.kind().reads()) {
            return ShuffleReads.read(attempt, source, function == null ? ABSENT : function);
        }
        return switch (source.kind()) {
            case INPUT -> TaskSources.elements(attempt, input);
            case KEPT -> throw KeptSteps.lost(attempt, pipeline.steps());
            default -> FileSources.elements(attempt, source.kind(), input);
        };
    }

    private @Nullable Object[] open(TaskAttempt attempt, int from) {
        long began = services.clocks().nanos();
        @Nullable Object[] opened = functions.clone();
        for (int place = from; place < opened.length; place++) {
            if (opened[place] == null) {
                opened[place] = capture(place).open(services.objects(), subject(place));
            }
        }
        attempt.deserializeNanos += services.clocks().nanos() - began;
        return opened;
    }

    private static Object function(@Nullable Object[] opened, int place) {
        Object function = opened[place];
        return function == null ? ABSENT : function;
    }

    private Capture capture(int place) {
        List<Pipeline.Step> steps = pipeline.steps();
        if (place == 0) {
            return pipeline.source().function();
        }
        return place <= steps.size()
                ? steps.get(place - 1).function()
                : pipeline.sink().function();
    }

    private String subject(int place) {
        List<Pipeline.Step> steps = pipeline.steps();
        Object kind = place == 0
                ? pipeline.source().kind()
                : place <= steps.size()
                        ? steps.get(place - 1).kind()
                        : pipeline.sink().kind();
        return "function of " + kind;
    }
}
