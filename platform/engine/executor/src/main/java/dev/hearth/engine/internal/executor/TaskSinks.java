package dev.hearth.engine.internal.executor;

import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.storage.BlockIterator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consumes the elements of one attempt. A count returns a Long; an evaluation returns the result of its function.
 * Collect, take and reduce return an {@code Object[]}, with at most one element for reduce; the remaining sinks return
 * no value. Owned by the attempt's thread.
 */
@SuppressWarnings("unchecked") // the compiler checked the types in the application, where it calls the action
final class TaskSinks implements Sink.Handler<TaskResult, Exception> {
    private final TaskAttempt attempt;
    private final Object function;
    private final Iterator<Object> elements;

    private TaskSinks(TaskAttempt attempt, Object function, Iterator<Object> elements) {
        this.attempt = attempt;
        this.function = function;
        this.elements = elements;
    }

    /**
     * Consumes {@code elements} as {@code sink} defines, and returns the result of the attempt. {@code function} is the
     * deserialised user function of the sink.
     */
    static TaskResult drain(Sink sink, TaskAttempt attempt, Object function, Iterator<?> elements) throws Exception {
        return sink.accept(new TaskSinks(attempt, function, (Iterator<Object>) elements));
    }

    @Override
    public TaskResult onCount(Sink.Count sink) {
        return new TaskResult.Shared(count(elements), Long.BYTES);
    }

    @Override
    public TaskResult onCollect(Sink.Collect sink) {
        return array(collect(elements, Integer.MAX_VALUE), "collected elements");
    }

    @Override
    public TaskResult onTake(Sink.Take sink) {
        return array(collect(elements, sink.limit()), "collected elements");
    }

    @Override
    public TaskResult onReduce(Sink.Reduce sink) {
        return array(reduce(elements, (ReduceFunction<Object>) function), "reduced element");
    }

    @Override
    public TaskResult onForeach(Sink.Foreach sink) {
        forEach(elements, (ActionFunction<Object>) function);
        return TaskResult.NONE;
    }

    @Override
    public TaskResult onForeachPartition(Sink.ForeachPartition sink) throws Exception {
        ((ActionFunction<Iterator<Object>>) function).accept(elements);
        return TaskResult.NONE;
    }

    @Override
    public TaskResult onEvaluate(Sink.Evaluate sink) throws Exception {
        Object result = ((TaskFunction<Object, @Nullable Object>) function).apply(attempt, elements);
        return TaskResults.of(attempt, result, "result of a task");
    }

    @Override
    public TaskResult onSampleKeys(Sink.SampleKeys sink) {
        return array(new ReservoirSampler(sink.limit(), attempt.partition()).sample(elements), "sampled keys");
    }

    @Override
    public TaskResult onSaveText(Sink.SaveText sink) {
        FileSinks.text(sink.output(), attempt, elements);
        return TaskResult.NONE;
    }

    @Override
    public TaskResult onSaveObjects(Sink.SaveObjects sink) {
        FileSinks.objects(sink.output(), attempt, elements);
        return TaskResult.NONE;
    }

    @Override
    public TaskResult onShuffleWrite(Sink.ShuffleWrite sink) throws CorruptFileException {
        ShuffleSinks.write(sink, attempt, function, elements);
        return TaskResult.NONE;
    }

    private static long count(Iterator<Object> elements) {
        if (elements instanceof TaskSources.Sized sized) {
            return sized.skipAll();
        }
        if (elements instanceof BlockIterator kept) {
            return kept.skipAll();
        }
        long[] count = {0};
        elements.forEachRemaining(element -> count[0]++);
        return count[0];
    }

    private static Object[] collect(Iterator<Object> elements, int limit) {
        List<Object> collected = new ArrayList<>();
        if (limit == Integer.MAX_VALUE) {
            elements.forEachRemaining(collected::add);
        } else {
            while (collected.size() < limit && elements.hasNext()) {
                collected.add(elements.next());
            }
        }
        return collected.toArray();
    }

    private static Object[] reduce(Iterator<Object> elements, ReduceFunction<Object> function) {
        if (!elements.hasNext()) {
            return new Object[0];
        }
        Object[] joined = {elements.next()};
        elements.forEachRemaining(element -> {
            try {
                joined[0] = function.apply(joined[0], element);
            } catch (Exception thrown) {
                throw SneakyThrow.unchecked(thrown);
            }
        });
        return joined;
    }

    private static void forEach(Iterator<Object> elements, ActionFunction<Object> function) {
        elements.forEachRemaining(element -> {
            try {
                function.accept(element);
            } catch (Exception thrown) {
                throw SneakyThrow.unchecked(thrown);
            }
        });
    }

    private TaskResult array(@Nullable Object[] values, String subject) {
        return TaskResults.ofArray(attempt, values, subject);
    }
}
