package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source and steps ready to be opened: functions that cannot change are at hand, all others are read anew every time it is
 * opened. Immutable; shared by all cores.
 */
final class PreparedBranch {
    private static final Object ABSENT = new Object();

    private final Source source;
    private final List<Step> steps;
    private final TaskServices services;
    private final @Nullable Object[]
            functions; // of the source, then of the steps; null where each opening reads its own
    private final boolean allShared;
    private final boolean keeps;
    private final int lastHandedOut;

    /** Up to step {@code lastHandedOut} the program's code is given iterators, and what is read by them must not fail unseen. */
    PreparedBranch(Source source, List<Step> steps, int lastHandedOut, TaskServices services) {
        this.source = source;
        this.steps = steps;
        this.lastHandedOut = lastHandedOut;
        this.services = services;
        this.functions = new @Nullable Object[steps.size() + 1];
        boolean all = true;
        for (int place = 0; place < functions.length; place++) {
            functions[place] = prepare(capture(place), subject(place), services);
            all &= functions[place] != null;
        }
        this.allShared = all;
        this.keeps = steps.stream().anyMatch(Step.Persist.class::isInstance);
    }

    /** The function where one serves all attempts; null where each reads its own. */
    static @Nullable Object prepare(CapturedFunction capture, String subject, TaskServices services) {
        if (capture == CapturedFunction.NONE) {
            return ABSENT;
        }
        return capture.isShared() ? capture.open(services.objects(), subject) : null;
    }

    /** The elements of a partition, from the last step on where they are kept; {@code input} is what the driver gave for it. */
    Iterator<?> open(BranchReader parts, int partition, TaskInput input) throws Exception {
        TaskAttempt attempt = parts.attempt();
        CachedSteps kept = CachedSteps.NONE;
        if (keeps) {
            kept = new CachedSteps(attempt, partition, steps);
            parts.keeps(kept);
        }
        int from = kept.found() + 1;
        @Nullable Object[] opened = allShared ? functions : read(attempt, from);
        Iterator<?> elements = from == 0
                ? source.accept(new TaskSources(parts, this, partition, input, function(opened, 0)))
                : kept.elements();
        if (from <= lastHandedOut && (from > 0 || readsFromOutside())) {
            elements = new ReadFailureGuard(elements, attempt);
        }
        for (int i = from; i < steps.size(); i++) {
            elements = TaskSteps.open(steps.get(i), attempt, partition, kept, function(opened, i + 1), elements);
        }
        return elements;
    }

    /** Whether that which fails is no code of the program: branches are guarded by themselves. */
    private boolean readsFromOutside() {
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
