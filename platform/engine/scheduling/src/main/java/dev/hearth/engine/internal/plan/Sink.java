package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.Optional;

/** End of a pipeline: computes a result from the elements after the last step, or writes them. Immutable. */
public sealed interface Sink {
    /** Name for messages, in upper case. */
    String label();

    /**
     * Whether the order of the elements affects the result of this sink. For map output: whether it affects the tasks
     * that read the output.
     */
    boolean isOrderSensitive();

    <R, E extends Exception> R accept(Handler<R, E> handler) throws E;

    /**
     * The user's function that this sink applies. Most sinks have no such function and return
     * {@link CapturedFunction#NONE}.
     */
    default CapturedFunction function() {
        return CapturedFunction.NONE;
    }

    /**
     * Whether the user's function of this sink receives an iterator over the elements. Such a function may catch
     * exceptions that are thrown while it reads elements.
     */
    default boolean passesIterator() {
        return false;
    }

    /** Counts the elements. */
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

    /** Returns all elements. */
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

    /** Returns the first {@code limit} elements of the partition, or all if it has fewer. */
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

    /** Reduces all elements to one by a {@link dev.hearth.api.function.ReduceFunction}. */
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

    /** Calls an {@link dev.hearth.api.function.ActionFunction} with each element. */
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

    /** Calls an {@link dev.hearth.api.function.ActionFunction} with the iterator over the partition. */
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

    /** Returns the result of a {@link dev.hearth.api.function.TaskFunction} that is called with the partition. */
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

    /** Returns the number of pairs in the partition and a random sample of up to {@code limit} of their keys. */
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

    /** Writes one text file of the output directory, with one line for each element of the partition. */
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

    /** Writes the elements of the partition to one object file of the output directory. */
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
     * Writes map output for {@code partitions} reducers. {@code partitioner} is a {@link dev.hearth.api.Partitioner};
     * without one, keys are partitioned by hash code. {@code mapSide} is the aggregation by which map tasks combine the
     * values of a key before they write them; empty if they do not combine.
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

    /** Visitor with one method for each kind of sink. */
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
