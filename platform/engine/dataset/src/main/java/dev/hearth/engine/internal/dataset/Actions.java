package dev.hearth.engine.internal.dataset;

import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Creates the actions by which one operation that the user called, such as {@code collect}, computes one dataset.
 * Immutable.
 */
public final class Actions<T> {
    // Number of partitions that a round of take scans, relative to those of all earlier rounds.
    private static final int TAKE_GROWTH = 4;
    private static final Object[] NO_ELEMENTS = {};

    private final DatasetContext runner;
    private final Lineage dataset;
    private final String operation;
    private final CallSite site;

    Actions(DatasetContext runner, Lineage dataset, String operation) {
        this.runner = runner;
        this.dataset = dataset;
        this.operation = CallSite.operation(operation);
        this.site = CallSite.of(operation);
    }

    public Action<Long> counting() {
        return action(new Sink.Count(), ResultCollector.sum());
    }

    public Action<List<T>> collecting() {
        return action(new Sink.Collect(), elements());
    }

    Action<Void> each(ActionFunction<? super T> function) {
        return action(new Sink.Foreach(capture(function)), ResultCollector.nothing());
    }

    Action<Void> eachPartition(ActionFunction<Iterator<T>> function) {
        return action(new Sink.ForeachPartition(capture(function)), ResultCollector.nothing());
    }

    /**
     * Creates the action that reduces all elements to one. Each task returns an array with the reduced element of its
     * partition, or an empty array if the partition is empty.
     */
    @SuppressWarnings("unchecked") // tasks return elements of type T
    public Action<T> reducing(ReduceFunction<T> function) {
        return action(
                new Sink.Reduce(capture(function)), ResultCollector.collecting(runner.objects(), (values, objects) -> {
                    Object[] parts = Arrays.stream(values)
                            .flatMap(value -> Arrays.stream(value == null ? NO_ELEMENTS : (Object[]) value))
                            .toArray();
                    if (parts.length == 0) {
                        throw ErrorCode.EMPTY_DATASET.failure(
                                "reduce: the dataset has no elements (expected: one or more); test with isEmpty() first");
                    }
                    T joined = (T) parts[0];
                    for (int i = 1; i < parts.length; i++) {
                        joined = apply(function, joined, (T) parts[i]);
                    }
                    return joined;
                }));
    }

    /**
     * Creates the action that writes all elements to files through {@code sink}. The caller must commit the output
     * directory after the job.
     */
    public Action<Void> saving(Sink sink) {
        return action(sink, ResultCollector.nothing());
    }

    /**
     * Creates the action that calls {@code function} with each of the given partitions and returns the results in the
     * order of {@code partitions}.
     */
    @SuppressWarnings("unchecked")
    public <R> Action<List<R>> running(TaskFunction<T, R> function, List<Integer> partitions) {
        int[] wanted = new int[partitions.size()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = partitions.get(i);
            if (wanted[i] < 0 || wanted[i] >= dataset.partitions()) {
                throw ErrorCode.BAD_ARGUMENT.failure(operation + ": partition " + wanted[i] + " (expected: 0 to "
                        + (dataset.partitions() - 1) + ", for the dataset has " + dataset.partitions() + ")");
            }
        }
        return new Action<>(
                dataset,
                new Sink.Evaluate(capture(function)),
                wanted,
                site,
                ResultCollector.collecting(runner.objects(), (values, objects) -> (List<R>) Arrays.asList(values)));
    }

    /**
     * Creates the action that calls {@code function} with each partition, and adds each task's result to {@code
     * arriving} when the task ends.
     */
    <R> Action<List<R>> arriving(TaskFunction<T, R> function, IncrementalResults<R> arriving) {
        return action(new Sink.Evaluate(capture(function)), partitions -> arriving);
    }

    /**
     * Creates one round of {@link #take}, which needs {@code missing} more elements. The action of the round scans
     * partitions from number {@code scanned} on; none if all have been scanned.
     */
    TakeRound<T> round(int scanned, int missing) {
        int until = (int) Math.min(dataset.partitions(), Math.max(1L, (long) scanned * (1 + TAKE_GROWTH)));
        return new TakeRound<>(
                until,
                new Action<>(
                        dataset,
                        new Sink.Take(missing),
                        IntStream.range(scanned, until).toArray(),
                        site,
                        elements()));
    }

    /**
     * One round of {@code take}. Its action scans the partitions that earlier rounds have not scanned, up to
     * {@code until} (exclusive).
     */
    record TakeRound<T>(int until, Action<List<T>> action) {}

    int partitions() {
        return dataset.partitions();
    }

    static int requireNotNegative(String operation, int count) {
        if (count < 0) {
            throw ErrorCode.BAD_ARGUMENT.failure(operation + ": " + count + " elements (expected: 0 or more)");
        }
        return count;
    }

    /**
     * Returns the first {@code count} elements, or all if there are fewer. Runs jobs in rounds, over one partition
     * first and more in later rounds, until it has enough elements.
     */
    List<T> take(int count) {
        requireNotNegative(operation, count);
        List<T> found = new ArrayList<>();
        int scanned = 0;
        while (found.size() < count && scanned < dataset.partitions()) {
            int missing = count - found.size();
            TakeRound<T> round = round(scanned, missing);
            runner.run(round.action()).stream().limit(missing).forEach(found::add);
            scanned = round.until();
        }
        return found;
    }

    private <R> Action<R> action(Sink sink, ResultCollector.Factory<R> results) {
        return new Action<>(
                dataset, sink, IntStream.range(0, dataset.partitions()).toArray(), site, results);
    }

    /** Collects the elements of a dataset: concatenates the arrays that the tasks return, in partition order. */
    @SuppressWarnings("unchecked")
    private ResultCollector.Factory<List<T>> elements() {
        return ResultCollector.collecting(runner.objects(), (values, objects) -> {
            int size = 0;
            for (Object value : values) {
                size = Math.addExact(size, value == null ? 0 : ((Object[]) value).length);
            }
            List<T> all = new ArrayList<>(size);
            for (Object value : values) {
                if (value != null) {
                    all.addAll((List<T>) Arrays.asList((Object[]) value));
                }
            }
            return all;
        });
    }

    private CapturedFunction capture(Object function) {
        return CapturedFunction.of(function, runner.objects(), "function given to " + operation);
    }

    private T apply(ReduceFunction<T> function, T left, T right) {
        try {
            return function.apply(left, right);
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw ErrorCode.TASK_FAILED.failure("function given to " + operation + ": threw " + thrown, thrown);
        }
    }
}
