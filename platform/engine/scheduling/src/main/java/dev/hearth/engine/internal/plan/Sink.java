package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.Optional;

/** What a task makes of the elements that leave its last step. Immutable. */
public sealed interface Sink {
    /** Name for people, in upper case. */
    String label();

    /** Whether the result, or a reader of the map output, depends on the order of the elements. */
    boolean isOrderSensitive();

    <R, E extends Exception> R accept(Handler<R, E> handler) throws E;

    /** The user's function; none for most sinks. */
    default CapturedFunction function() {
        return CapturedFunction.NONE;
    }

    /** Whether the user's function receives an iterator over elements, and so may catch what reading them throws. */
    default boolean passesIterator() {
        return false;
    }

    /** The number of elements. */
    record Count() implements Sink {
        @Override
        public String label() {
            return "COUNT";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onCount(this);
        }
    }

    /** All elements. */
    record Collect() implements Sink {
        @Override
        public String label() {
            return "COLLECT";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onCollect(this);
        }
    }

    /** The first {@code limit} elements. */
    record Take(int limit) implements Sink {
        @Override
        public String label() {
            return "TAKE";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onTake(this);
        }
    }

    /** All elements reduced to one by a {@link dev.hearth.api.function.ReduceFunction}. */
    record Reduce(CapturedFunction function) implements Sink {
        @Override
        public String label() {
            return "REDUCE";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onReduce(this);
        }
    }

    /** An {@link dev.hearth.api.function.ActionFunction} called with each element. */
    record Foreach(CapturedFunction function) implements Sink {
        @Override
        public String label() {
            return "FOREACH";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onForeach(this);
        }
    }

    /** An {@link dev.hearth.api.function.ActionFunction} called with the iterator over the partition. */
    record ForeachPartition(CapturedFunction function) implements Sink {
        @Override
        public String label() {
            return "FOREACH_PARTITION";
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
            return handler.onForeachPartition(this);
        }
    }

    /** The result of a {@link dev.hearth.api.function.TaskFunction} over the partition. */
    record Evaluate(CapturedFunction function) implements Sink {
        @Override
        public String label() {
            return "FUNCTION";
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
            return handler.onEvaluate(this);
        }
    }

    /** The number of pairs, and up to {@code limit} of their keys, each equally likely. */
    record SampleKeys(int limit) implements Sink {
        @Override
        public String label() {
            return "SAMPLE";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onSampleKeys(this);
        }
    }

    /** A file with one line for each element. */
    record SaveText(FileOutput output) implements Sink {
        @Override
        public String label() {
            return "SAVE_TEXT";
        }

        @Override
        public boolean isOrderSensitive() {
            return false;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onSaveText(this);
        }
    }

    /** An object file with all elements. */
    record SaveObjects(FileOutput output) implements Sink {
        @Override
        public String label() {
            return "SAVE_OBJECTS";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onSaveObjects(this);
        }
    }

    /**
     * Map output for {@code partitions} reducers. Keys go to reducers by {@code partitioner}, a
     * {@link dev.hearth.api.Partitioner}; by hash code where that is none. {@code mapSide} combines the values of each key
     * before they are written.
     */
    record ShuffleWrite(int shuffle, int partitions, CapturedFunction partitioner, Optional<KeyAggregation> mapSide)
            implements Sink {
        @Override
        public String label() {
            return "SHUFFLE";
        }

        @Override
        public boolean isOrderSensitive() {
            return true;
        }

        @Override
        public CapturedFunction function() {
            return mapSide.map(KeyAggregation::function).orElse(CapturedFunction.NONE);
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onShuffleWrite(this);
        }
    }

    /** One method for each kind of sink. */
    interface Handler<R, E extends Exception> {
        R onCount(Count sink) throws E;

        R onCollect(Collect sink) throws E;

        R onTake(Take sink) throws E;

        R onReduce(Reduce sink) throws E;

        R onForeach(Foreach sink) throws E;

        R onForeachPartition(ForeachPartition sink) throws E;

        R onEvaluate(Evaluate sink) throws E;

        R onSampleKeys(SampleKeys sink) throws E;

        R onSaveText(SaveText sink) throws E;

        R onSaveObjects(SaveObjects sink) throws E;

        R onShuffleWrite(ShuffleWrite sink) throws E;
    }
}
