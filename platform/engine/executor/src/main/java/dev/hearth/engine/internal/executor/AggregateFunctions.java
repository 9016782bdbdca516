package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.AggregateFunction;
import dev.hearth.engine.internal.plan.KeyAggregation;
import java.util.Optional;
import java.util.function.Function;

/**
 * Creates the aggregate function of a {@link KeyAggregation}; empty for grouping, which keeps all values instead.
 * Stateless.
 */
final class AggregateFunctions {
    private AggregateFunctions() {}

    /**
     * Returns the function that aggregates values not aggregated before, in a map task or without a shuffle; empty for
     * grouping. {@code function} is the deserialised user function.
     */
    static Optional<AggregateFunction> ofValues(KeyAggregation aggregation, Object function) {
        return aggregation.accept(new ByKind(function, AggregateFunction::creating));
    }

    /**
     * Returns the function that merges, in a reduce task, values that map tasks have already aggregated; empty for
     * grouping.
     */
    static Optional<AggregateFunction> ofCombined(KeyAggregation aggregation, Object function) {
        return aggregation.accept(new ByKind(function, AggregateFunction::joining));
    }

    private record ByKind(Object function, Function<Object, AggregateFunction> ofCombiner)
            implements KeyAggregation.Handler<Optional<AggregateFunction>> {
        @Override
        public Optional<AggregateFunction> onGroup(KeyAggregation.Group aggregation) {
            return Optional.empty();
        }

        @Override
        public Optional<AggregateFunction> onReduce(KeyAggregation.Reduce aggregation) {
            return Optional.of(AggregateFunction.reducing(function));
        }

        @Override
        public Optional<AggregateFunction> onCombine(KeyAggregation.Combine aggregation) {
            return Optional.of(ofCombiner.apply(function));
        }
    }
}
