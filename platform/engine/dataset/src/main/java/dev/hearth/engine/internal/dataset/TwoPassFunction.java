package dev.hearth.engine.internal.dataset;

import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Function over each partition that depends on a first pass over all partitions, for example on their element counts.
 * The first action that needs the function runs the first pass as a job. The function then never changes, so that
 * recomputed tasks compute the same. Guarded by its own lock.
 */
final class TwoPassFunction<T, S, R> implements Preparation {
    private final Lineage from;
    private final String operation;
    private final CapturedFunction firstPass; // a TaskFunction
    private final MapFunction<? super List<S>, ? extends IndexedPartitionFunction<T, R>> factory;
    private volatile @Nullable CapturedFunction function;

    TwoPassFunction(
            Lineage from,
            String operation,
            CapturedFunction firstPass,
            MapFunction<? super List<S>, ? extends IndexedPartitionFunction<T, R>> factory) {
        this.from = from;
        this.operation = operation;
        this.firstPass = firstPass;
        this.factory = factory;
    }

    @Override
    public boolean isPrepared() {
        return function != null;
    }

    /** An {@link IndexedPartitionFunction}. */
    CapturedFunction function() {
        CapturedFunction create = function;
        if (create == null) {
            throw new IllegalStateException(operation + ": planned before its first pass");
        }
        return create;
    }

    @Override
    @SuppressWarnings("unchecked") // the user's function returns results of type S
    public synchronized void prepare(DatasetContext runner, CallSite site) {
        if (function != null) {
            return;
        }
        List<S> found = runner.run(new Action<>(
                from,
                new Sink.Evaluate(firstPass),
                IntStream.range(0, from.partitions()).toArray(),
                site,
                ResultCollector.collecting(runner.objects(), (values, objects) -> (List<S>) Arrays.asList(values))));
        function = CapturedFunction.of(create(found), runner.objects(), "function create by " + operation);
    }

    private IndexedPartitionFunction<T, R> create(List<S> found) {
        try {
            return factory.apply(found);
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw ErrorCode.TASK_FAILED.failure("function given to " + operation + ": threw " + thrown, thrown);
        }
    }
}
