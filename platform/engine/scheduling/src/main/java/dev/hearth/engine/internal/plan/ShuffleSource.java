package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.List;

/** Source that reads the same partition of one or more shuffles that have equal partitioning. Immutable. */
public sealed interface ShuffleSource extends Source {
    <R, E extends Exception> R acceptShuffle(ShuffleSource.Handler<R, E> handler) throws E;

    @Override
    default <R, E extends Exception> R accept(Source.Handler<R, E> handler) throws E {
        return handler.onShuffle(this);
    }

    @Override
    default boolean readsShuffle() {
        return true;
    }

    /** Reads the pairs of a shuffle in the order in which they arrive, neither combined nor sorted. */
    record Pairs(int shuffle) implements ShuffleSource {
        @Override
        public String label() {
            return "PAIRS";
        }

        @Override
        public List<Integer> shuffles() {
            return List.of(shuffle);
        }

        @Override
        public <R, E extends Exception> R acceptShuffle(ShuffleSource.Handler<R, E> handler) throws E {
            return handler.onPairs(this);
        }
    }

    /** One pair for each key of a shuffle: the key, and its values aggregated as {@code aggregation} says. */
    record Aggregated(int shuffle, KeyAggregation aggregation) implements ShuffleSource {
        @Override
        public String label() {
            return aggregation.label();
        }

        @Override
        public CapturedFunction function() {
            return aggregation.function();
        }

        @Override
        public List<Integer> shuffles() {
            return List.of(shuffle);
        }

        @Override
        public <R, E extends Exception> R acceptShuffle(ShuffleSource.Handler<R, E> handler) throws E {
            return handler.onAggregated(this);
        }
    }

    /**
     * The pairs sorted by key. {@code function} is a {@link java.util.Comparator}; without one, the keys have their
     * natural order.
     */
    record Sorted(int shuffle, CapturedFunction function, boolean descending) implements ShuffleSource {
        @Override
        public String label() {
            return "SORTED";
        }

        @Override
        public List<Integer> shuffles() {
            return List.of(shuffle);
        }

        @Override
        public <R, E extends Exception> R acceptShuffle(ShuffleSource.Handler<R, E> handler) throws E {
            return handler.onSorted(this);
        }
    }

    /** The pairs of several shuffles, cogrouped or joined by key. Each shuffle is one side of the cogroup or join. */
    record Cogrouped(List<Integer> shuffles, JoinKind join) implements ShuffleSource {
        public Cogrouped {
            shuffles = List.copyOf(shuffles);
        }

        @Override
        public String label() {
            return join.name();
        }

        @Override
        public <R, E extends Exception> R acceptShuffle(ShuffleSource.Handler<R, E> handler) throws E {
            return handler.onCogrouped(this);
        }
    }

    /** Visitor with one method for each kind of {@link ShuffleSource}. */
    interface Handler<R, E extends Exception> {
        R onPairs(Pairs source) throws E;

        R onAggregated(Aggregated source) throws E;

        R onSorted(Sorted source) throws E;

        R onCogrouped(Cogrouped source) throws E;
    }
}
