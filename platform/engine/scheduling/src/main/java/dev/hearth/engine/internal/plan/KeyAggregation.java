package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;

/**
 * How the values of one key become one: what {@code groupByKey}, {@code reduceByKey} and {@code combineByKey} differ in.
 * The same aggregation appears in the map-side sink, in the source that reads the shuffle, and in the step that replaces
 * both where the pairs are partitioned already. Immutable.
 */
public sealed interface KeyAggregation {
    /** Name for people, in upper case. */
    String label();

    /** The user's function; none for {@link Group}. */
    CapturedFunction function();

    <R> R accept(Handler<R> handler);

    /** A list of all values. Map tasks combine nothing. */
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

    /** One value, reduced by a {@link dev.hearth.api.function.ReduceFunction} in map tasks and again after the shuffle. */
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

    /** One accumulator of a {@link dev.hearth.api.function.Combiner}: created in map tasks, merged after the shuffle. */
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

    /** One method for each aggregation. */
    interface Handler<R> {
        R onGroup(Group aggregation);

        R onReduce(Reduce aggregation);

        R onCombine(Combine aggregation);
    }
}
