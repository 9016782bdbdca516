package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;

/**
 * Method by which the values of each key are combined: as in {@code groupByKey}, {@code reduceByKey} or
 * {@code combineByKey}. The map-side sink and the source that reads the shuffle use the same object. So does the step
 * that aggregates pairs which are already partitioned. Immutable.
 */
public sealed interface KeyAggregation {
    /** Name for messages and {@code toDebugString}, in upper case. */
    String label();

    /**
     * The user's function that combines values. {@link Group} has no such function and returns
     * {@link CapturedFunction#NONE}.
     */
    CapturedFunction function();

    <R> R accept(Handler<R> handler);

    /**
     * Collects all values of a key in a list. Map tasks write every value, without combining the values of a key first.
     */
    record Group() implements KeyAggregation {
        @Override
        public String label() {
            return "GROUP_BY_KEY";
        }

        @Override
        public CapturedFunction function() {
            return CapturedFunction.NONE;
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onGroup(this);
        }
    }

    /**
     * Reduces the values of a key to one value by a {@link dev.hearth.api.function.ReduceFunction}, in map tasks and
     * again after the shuffle.
     */
    record Reduce(CapturedFunction function) implements KeyAggregation {
        @Override
        public String label() {
            return "REDUCE_BY_KEY";
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onReduce(this);
        }
    }

    /**
     * Combines the values of a key by a {@link dev.hearth.api.function.Combiner}. Map tasks create one combined value
     * per key, and the combined values of a key are merged after the shuffle.
     */
    record Combine(CapturedFunction function) implements KeyAggregation {
        @Override
        public String label() {
            return "COMBINE_BY_KEY";
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onCombine(this);
        }
    }

    /** Visitor with one method for each kind of aggregation. */
    interface Handler<R> {
        R onGroup(Group aggregation);

        R onReduce(Reduce aggregation);

        R onCombine(Combine aggregation);
    }
}
