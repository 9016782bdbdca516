package dev.hearth.api;

import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Aggregates the elements of one partition, starting from the task's own copy of {@code zero}. */
record FoldFunction<T, A>(A zero, AddFunction<A, ? super T> add) implements TaskFunction<T, A> {
    @Override
    public A apply(TaskContext task, Iterator<T> elements) throws Exception {
        A gathered = zero;
        while (elements.hasNext()) {
            gathered = add.apply(gathered, elements.next());
        }
        return gathered;
    }

    /** Merges {@code parts}, the results of all partitions, on the driver; returns {@code zero} if there are none. */
    static <A> A join(String operation, A zero, List<A> parts, ReduceFunction<A> join) {
        if (parts.isEmpty()) {
            return zero;
        }
        try {
            A joined = parts.get(0);
            for (A part : parts.subList(1, parts.size())) {
                joined = join.apply(joined, part);
            }
            return joined;
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new HearthException("TASK_FAILED", "function given to " + operation + ": threw " + thrown, thrown);
        }
    }

    /**
     * Implements treeAggregate: each round is a shuffle that merges the results of the partitions into fewer
     * partitions. There is no further round once it would save the driver too few merges.
     */
    static <T, A> A treeAggregate(
            Rdd<T> dataset, FoldFunction<T, A> folding, ReduceFunction<A> join, int depth, boolean lastOnExecutor) {
        int width = (int) Math.max(2, Math.ceil(Math.pow(dataset.partitions(), 1.0 / depth)));
        Rdd<A> parts = dataset.mapPartitions(new OfPartition<T, A>(folding));
        while (parts.partitions() > width + (parts.partitions() + width - 1) / width) {
            parts = joined(parts, join, parts.partitions() / width);
        }
        if (lastOnExecutor && parts.partitions() > 1) {
            parts = joined(parts, join, 1);
        }
        return join("treeAggregate", folding.zero(), parts.collect(), join);
    }

    private static <A> Rdd<A> joined(Rdd<A> parts, ReduceFunction<A> join, int fewer) {
        return parts.context()
                .pairs(parts.mapPartitionsWithIndex(new RoundRobinFunction.ByPartitionNumber<A>(fewer)))
                .reduceByKey(join, new RoundRobinFunction.PartitionNumberPartitioner(fewer))
                .values();
    }

    /**
     * Aggregates one partition as {@link FoldFunction} does, but for a transformation instead of an action: the new
     * partition has the aggregate as its only element.
     */
    record OfPartition<T, A>(FoldFunction<T, A> folding) implements PartitionFunction<T, A> {
        @Override
        public Iterator<A> apply(Iterator<T> elements) throws Exception {
            A gathered = folding.zero();
            while (elements.hasNext()) {
                gathered = folding.add().apply(gathered, elements.next());
            }
            return Collections.singletonList(gathered).iterator();
        }
    }

    /**
     * Merges an element by {@code function} into the result so far, which is empty before the first element; elements
     * may be null.
     */
    record Adding<T>(ReduceFunction<T> function) implements AddFunction<Option<NullableHolder<T>>, T> {
        @Override
        public Option<NullableHolder<T>> apply(Option<NullableHolder<T>> gathered, T element) throws Exception {
            return Option.of(new NullableHolder<>(
                    gathered.isEmpty() ? element : function.apply(gathered.get().element(), element)));
        }
    }

    /**
     * Merges the results of two partitions by {@code function}; either may be empty, as the result of a partition
     * without elements.
     */
    record Joining<T>(ReduceFunction<T> function) implements ReduceFunction<Option<NullableHolder<T>>> {
        @Override
        public Option<NullableHolder<T>> apply(Option<NullableHolder<T>> left, Option<NullableHolder<T>> right)
                throws Exception {
            if (left.isEmpty() || right.isEmpty()) {
                return left.isEmpty() ? right : left;
            }
            return Option.of(new NullableHolder<>(
                    function.apply(left.get().element(), right.get().element())));
        }
    }
}
