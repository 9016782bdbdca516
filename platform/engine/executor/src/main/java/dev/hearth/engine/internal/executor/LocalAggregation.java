package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.AggregateFunction;
import dev.hearth.engine.internal.aggregate.HashAggregator;
import dev.hearth.engine.internal.aggregate.HashGrouper;
import dev.hearth.engine.internal.plan.JoinKind;
import dev.hearth.engine.internal.plan.KeyAggregation;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Aggregates and joins pairs by key within one partition, without a shuffle. Stateless. */
final class LocalAggregation {
    private LocalAggregation() {}

    static Iterator<?> aggregate(
            TaskAttempt attempt, KeyAggregation aggregation, Object function, Iterator<Object> elements) {
        Optional<AggregateFunction> merging = AggregateFunctions.ofValues(aggregation, function);
        if (merging.isEmpty()) {
            HashGrouper grouping = grouping(attempt, 1);
            TaskSteps.send(elements, grouping.side(0));
            return grouping.groups();
        }
        HashAggregator combining = HashAggregator.ofAll(new TaskAggregationServices(attempt), merging.get());
        attempt.atEnd(combining::close);
        TaskSteps.send(elements, combining);
        return combining.pairs();
    }

    /**
     * Returns the elements that a join of the kind {@code join} yields. {@code sides} contains the pairs of all inputs
     * of the join, grouped by key.
     */
    static Iterator<?> result(HashGrouper sides, JoinKind join) {
        return switch (join) {
            case COGROUP -> sides.cogroups();
            case JOIN -> sides.joined();
        };
    }

    /** Reads the partitions {@code parts} and groups their pairs by key. Each partition is one side of a join. */
    static HashGrouper gather(BranchReader open, List<NarrowDependencies.BranchPartition> parts) throws Exception {
        HashGrouper grouping = grouping(open.attempt(), parts.size());
        for (int side = 0; side < parts.size(); side++) {
            TaskSteps.send(open.open(parts.get(side)), grouping.side(side));
        }
        return grouping;
    }

    private static HashGrouper grouping(TaskAttempt attempt, int sides) {
        HashGrouper grouping = new HashGrouper(new TaskAggregationServices(attempt), sides);
        attempt.atEnd(grouping::close);
        return grouping;
    }
}
