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
 * A function of partitions that depends on what is in all of them: made by the first action that needs it, from what a job over
 * the dataset found, and then kept, so that tasks which are run again do as before. Guarded by its own lock.
 */
final class TwoPassFunction<T, S, R> implements Preparation {
    private final Lineage from;
    private final String operation;
    private final CapturedFunction looking; // a TaskFunction
    private final MapFunction<? super List<S>, ? extends IndexedPartitionFunction<T, R>> making;
    private volatile @Nullable CapturedFunction function;

    TwoPassFunction(
            Lineage from,
            String operation,
            CapturedFunction looking,
            MapFunction<? super List<S>, ? extends IndexedPartitionFunction<T, R>> making) {
        this.from = from;
        this.operation = operation;
        this.looking = looking;
        this.making = making;
    }

    @Override
    public boolean isDecided() {
        return function != null;
    }

    /** An {@link IndexedPartitionFunction}. */
    CapturedFunction function() {
        CapturedFunction made = function;
        if (made == null) {
            throw new IllegalStateException(operation + ": planned before its survey was done");
        }
        return made;
    }

    @Override
    @SuppressWarnings("unchecked") // the function gave them
    public synchronized void decide(DatasetContext runner, CallSite site) {
        if (function != null) {
            return;
        }
        List<S> found = runner.run(new Action<>(
                from,
                new Sink.Evaluate(looking),
                IntStream.range(0, from.partitions()).toArray(),
                site,
                ResultCollector.keeping(runner.objects(), (values, objects) -> (List<S>) Arrays.asList(values))));
        function = CapturedFunction.of(made(found), runner.objects(), "function made by " + operation);
    }

    private IndexedPartitionFunction<T, R> made(List<S> found) {
        try {
            return making.apply(found);
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw ErrorCode.TASK_FAILED.failure("function given to " + operation + ": threw " + thrown, thrown);
        }
    }
}
