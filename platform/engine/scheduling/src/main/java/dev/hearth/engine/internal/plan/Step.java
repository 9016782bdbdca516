package dev.hearth.engine.internal.plan;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.CapturedFunction;

/** One transformation of the elements of a partition, without reading any other partition. Immutable. */
public sealed interface Step {
    /** Name for messages and {@code toDebugString}, in upper case. */
    String label();

    /** Whether the result depends on the order of the elements. False for steps that treat each element separately. */
    boolean isOrderSensitive();

    <R, E extends Exception> R accept(Handler<R, E> handler) throws E;

    /**
     * The user's function that this step applies. {@link Persist} has no such function and returns
     * {@link CapturedFunction#NONE}.
     */
    default CapturedFunction function() {
        return CapturedFunction.NONE;
    }

    /**
     * Whether the user's function of this step receives an iterator over the elements. Such a function may catch
     * exceptions that are thrown while it reads elements.
     */
    default boolean passesIterator() {
        return false;
    }

    /** Applies a {@link dev.hearth.api.function.MapFunction} to each element. */
    record Map(CapturedFunction function) implements Step {
        @Override
        public String label() {
            return "MAP";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onMap(this);
        }
    }

    /** Keeps the elements that a {@link dev.hearth.api.function.FilterFunction} accepts, and drops all others. */
    record Filter(CapturedFunction function) implements Step {
        @Override
        public String label() {
            return "FILTER";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onFilter(this);
        }
    }

    /** Applies a {@link dev.hearth.api.function.FlatMapFunction} to each element. */
    record FlatMap(CapturedFunction function) implements Step {
        @Override
        public String label() {
            return "FLAT_MAP";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onFlatMap(this);
        }
    }

    /** Applies a {@link dev.hearth.api.function.PartitionFunction} to the partition. */
    record MapPartitions(CapturedFunction function) implements Step {
        @Override
        public String label() {
            return "MAP_PARTITIONS";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public boolean passesIterator() {
            return true;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onMapPartitions(this);
        }
    }

    /** Applies an {@link dev.hearth.api.function.IndexedPartitionFunction} to the partition and its index. */
    record MapPartitionsWithIndex(CapturedFunction function) implements Step {
        @Override
        public String label() {
            return "MAP_PARTITIONS_WITH_INDEX";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public boolean passesIterator() {
            return true;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onMapPartitionsWithIndex(this);
        }
    }

    /** Applies a {@link dev.hearth.api.function.MapFunction} to the value of each pair and keeps the key. */
    record MapValues(CapturedFunction function) implements Step {
        @Override
        public String label() {
            return "MAP_VALUES";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onMapValues(this);
        }
    }

    /**
     * Applies a {@link dev.hearth.api.function.FlatMapFunction} to the value of each pair. Each result is paired with
     * the key.
     */
    record FlatMapValues(CapturedFunction function) implements Step {
        @Override
        public String label() {
            return "FLAT_MAP_VALUES";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onFlatMapValues(this);
        }
    }

    /**
     * Caches the elements of a dataset while the task computes them. If the partition is already cached, the earlier
     * steps do not run.
     */
    record Persist(int dataset, StorageLevel level) implements Step {
        @Override
        public String label() {
            return "PERSIST";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onPersist(this);
        }
    }

    /**
     * Aggregates the values of each key within the partition, without a shuffle. All pairs of a key must already be in
     * one partition.
     */
    record AggregateByKey(KeyAggregation aggregation) implements Step {
        @Override
        public String label() {
            return aggregation.label();
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public CapturedFunction function() {
            return aggregation.function();
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onAggregateByKey(this);
        }
    }

    /** Visitor with one method for each kind of step. */
    interface Handler<R, E extends Exception> {
        R onMap(Map step) throws E;

        R onFilter(Filter step) throws E;

        R onFlatMap(FlatMap step) throws E;

        R onMapPartitions(MapPartitions step) throws E;

        R onMapPartitionsWithIndex(MapPartitionsWithIndex step) throws E;

        R onMapValues(MapValues step) throws E;

        R onFlatMapValues(FlatMapValues step) throws E;

        R onPersist(Persist step) throws E;

        R onAggregateByKey(AggregateByKey step) throws E;
    }
}
