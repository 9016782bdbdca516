package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.AggregateFunction;
import dev.hearth.engine.internal.plan.KeyAggregation;
import java.util.Optional;
import java.util.function.Function;

/**
 * Aggregate functions of a {@link KeyAggregation}; grouping has none, because it keeps all values. No state of its own.
 */
final class AggregateFunctions {
    private AggregateFunctions() {}

    /** Aggregates single values, in a map task or without a shuffle. {@code function} is the user's, deserialised. */
    static Optional<AggregateFunction> ofValues(KeyAggregation aggregation, Object function) {
        return aggregation.accept(new ByKind(function, AggregateFunction::creating));
    }

    /** Merges values that map tasks have aggregated already. */
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
