package dev.hearth.engine.internal.executor;

import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.storage.BlockIterator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task makes of its elements. COUNT gives a Long; COLLECT, TAKE and REDUCE an {@code Object[]}, for REDUCE of one
 * element or none; FUNCTION what the function gives; the others nothing. No state of its own.
 */
final class TaskSinks {
    private TaskSinks() {}

    @SuppressWarnings("unchecked") // the compiler checked the types where the action was written
    static TaskResult drain(Pipeline.Sink sink, TaskAttempt attempt, Object function, Iterator<?> given)
            throws Exception {
        Iterator<Object> elements = (Iterator<Object>) given;
        return switch (sink.kind()) {
            case COUNT -> new TaskResult.Shared(count(elements), Long.BYTES);
            case COLLECT -> array(attempt, collect(elements, Integer.MAX_VALUE), "collected elements");
            case TAKE -> array(attempt, collect(elements, sink.limit()), "collected elements");
            case REDUCE -> array(attempt, reduce(elements, (ReduceFunction<Object>) function), "reduced element");
            case FOREACH -> {
                forEach(elements, (ActionFunction<Object>) function);
                yield TaskResult.NONE;
            }
            case FOREACH_PARTITION -> {
                ((ActionFunction<Iterator<Object>>) function).accept(elements);
                yield TaskResult.NONE;
            }
            case FUNCTION ->
                TaskResults.of(
                        attempt,
                        ((TaskFunction<Object, @Nullable Object>) function).apply(attempt, elements),
                        "result of a task");
            case SAMPLE ->
                array(attempt, new ReservoirSampler(sink.limit(), attempt.partition()).draw(elements), "sampled keys");
            case SAVE_TEXT, SAVE_OBJECTS -> {
                FileSinks.write(sink, attempt, elements);
                yield TaskResult.NONE;
            }
            case SHUFFLE, SHUFFLE_REDUCED, SHUFFLE_COMBINED -> {
                ShuffleSinks.write(sink, attempt, function, elements);
                yield TaskResult.NONE;
            }
        };
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

    private static TaskResult array(TaskAttempt attempt, Object[] elements, String subject) {
        return TaskResults.ofArray(attempt, elements, subject);
    }
}
