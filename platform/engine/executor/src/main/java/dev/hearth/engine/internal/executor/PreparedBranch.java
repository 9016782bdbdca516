package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Source and steps of a branch, which compute one dataset of a stage, ready to be opened. Immutable functions are
 * deserialised once for all attempts; other functions are deserialised for each attempt. Shared by all cores.
 * Immutable.
 */
final class PreparedBranch {
    private static final Object ABSENT = new Object();

    private final Source source;
    private final List<Step> steps;
    private final TaskServices services;
    // Function of the source, followed by those of the steps; null where each attempt deserialises the function itself.
    private final @Nullable Object[] functions;
    private final boolean allShared;
    private final boolean persists;
    private final int lastIteratorStep;

    /**
     * {@code lastIteratorStep} is the index of the last step whose user function receives an iterator. Such a function
     * may catch a failure of the reads before it. These reads therefore pass through a {@link ReadFailureGuard}, which
     * records failures.
     */
    PreparedBranch(Source source, List<Step> steps, int lastIteratorStep, TaskServices services) {
        this.source = source;
        this.steps = steps;
        this.lastIteratorStep = lastIteratorStep;
        this.services = services;
        this.functions = new @Nullable Object[steps.size() + 1];
        boolean all = true;
        for (int place = 0; place < functions.length; place++) {
            functions[place] = prepare(capture(place), subject(place), services);
            all &= functions[place] != null;
        }
        this.allShared = all;
        this.persists = steps.stream().anyMatch(Step.Persist.class::isInstance);
    }

    /**
     * Returns the deserialised user function if all attempts can share it. Returns null if each attempt must
     * deserialise it again, and a placeholder if there is no function.
     */
    static @Nullable Object prepare(CapturedFunction capture, String subject, TaskServices services) {
        if (capture == CapturedFunction.NONE) {
            return ABSENT;
        }
        return capture.isShared() ? capture.open(services.objects(), subject) : null;
    }

    /**
     * Opens the partition {@code partition} of this branch and returns its elements after all steps. Begins after the
     * last step whose block is cached. {@code input} contains the elements or file splits that the driver sent.
     */
    Iterator<?> open(BranchReader parts, int partition, TaskInput input) throws Exception {
        TaskAttempt attempt = parts.attempt();
        CachedSteps kept = CachedSteps.NONE;
        if (persists) {
            kept = new CachedSteps(attempt, partition, steps);
            parts.add(kept);
        }
        int from = kept.cachedAt() + 1;
        @Nullable Object[] opened = allShared ? functions : read(attempt, from);
        Iterator<?> elements = from == 0
                ? source.accept(new TaskSources(parts, this, partition, input, function(opened, 0)))
                : kept.elements();
        if (from <= lastIteratorStep && (from > 0 || readsFilesOrShuffles())) {
            elements = new ReadFailureGuard(elements, attempt);
        }
        for (int i = from; i < steps.size(); i++) {
            elements = TaskSteps.open(steps.get(i), attempt, partition, kept, function(opened, i + 1), elements);
        }
        return elements;
    }

    /**
     * Whether the source reads files or shuffles, so that its read failures must be recorded. A source that reads other
     * branches is excepted, because those branches record their own.
     */
    private boolean readsFilesOrShuffles() {
        return !(source instanceof Source.Elements) && !source.readsBranches();
    }

    List<Step> steps() {
        return steps;
    }

    private @Nullable Object[] read(TaskAttempt attempt, int from) {
        long began = services.clocks().nanos();
        @Nullable Object[] opened = functions.clone();
        for (int place = from; place < opened.length; place++) {
            if (opened[place] == null) {
                opened[place] = capture(place).open(services.objects(), subject(place));
            }
        }
        attempt.countDeserialize(services.clocks().nanos() - began);
        return opened;
    }

    private static Object function(@Nullable Object[] opened, int place) {
        Object function = opened[place];
        return function == null ? ABSENT : function;
    }

    private CapturedFunction capture(int place) {
        return place == 0 ? source.function() : steps.get(place - 1).function();
    }

    private String subject(int place) {
        return "function of "
                + (place == 0 ? source.label() : steps.get(place - 1).label());
    }
}
