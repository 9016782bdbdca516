package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.AggregateFunction;
import dev.hearth.engine.internal.plan.KeyAggregation;
import java.util.Optional;
import java.util.function.Function;

/** Aggregate functions of a {@link KeyAggregation}. Grouping has none, because it keeps all values. Stateless. */
final class AggregateFunctions {
    private AggregateFunctions() {}

    /**
     * Returns a function that aggregates single values, in a map task or without a shuffle. {@code function} is the
     * deserialised function of the user.
     */
    static Optional<AggregateFunction> ofValues(KeyAggregation aggregation, Object function) {
        return aggregation.accept(new ByKind(function, AggregateFunction::creating));
    }

    /** Returns a function that merges values already aggregated by map tasks. */
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
