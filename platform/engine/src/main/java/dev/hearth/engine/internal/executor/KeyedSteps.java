package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.Combining;
import dev.hearth.engine.internal.aggregate.Grouping;
import dev.hearth.engine.internal.aggregate.Merging;
import dev.hearth.engine.internal.plan.Parts;
import java.util.Iterator;
import java.util.List;

/** Brings together the pairs of each key where all of them are in one partition, so that nothing travels. No state of its own. */
final class KeyedSteps {
    private KeyedSteps() {}

    static Iterator<?> group(TaskAttempt attempt, Iterator<Object> elements) {
        Grouping grouping = grouping(attempt, 1);
        TaskSteps.send(elements, grouping.side(0));
        return grouping.groups();
    }

    static Iterator<?> combine(TaskAttempt attempt, Merging merging, Iterator<Object> elements) {
        Combining combining = Combining.ofAll(new TaskBench(attempt), merging);
        attempt.atEnd(combining::close);
        TaskSteps.send(elements, combining);
        return combining.pairs();
    }

    /** The pairs of several parts by key. */
    static Grouping gather(OpenParts open, List<Parts.Part> parts) throws Exception {
        Grouping grouping = grouping(open.attempt(), parts.size());
        for (int side = 0; side < parts.size(); side++) {
            TaskSteps.send(open.open(parts.get(side)), grouping.side(side));
        }
        return grouping;
    }

    private static Grouping grouping(TaskAttempt attempt, int sides) {
        Grouping grouping = new Grouping(new TaskBench(attempt), sides);
        attempt.atEnd(grouping::close);
        return grouping;
    }
}
