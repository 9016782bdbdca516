package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;

/**
 * How the values of each key are aggregated: this distinguishes {@code groupByKey}, {@code reduceByKey} and
 * {@code combineByKey} from each other. The map-side sink, the source that reads the shuffle, and the step for pairs
 * that are already partitioned all name the same aggregation. Immutable.
 */
public sealed interface KeyAggregation {
    /** Name for messages and {@code toDebugString}, in upper case. */
    String label();

    /** The user's function; none for {@link Group}. */
    CapturedFunction function();

    <R> R accept(Handler<R> handler);

    /** Yields a list of all values. Map tasks combine no values. */
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
     * Yields one value, reduced by a {@link dev.hearth.api.function.ReduceFunction} in map tasks and again after the
     * shuffle.
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
     * Yields the value that a {@link dev.hearth.api.function.Combiner} creates in map tasks and merges after the
     * shuffle.
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
