package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import dev.hearth.spi.error.ErrorCode;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements the steps of a pipeline as iterators that read from iterators, so elements are computed on demand.
 * Stateless.
 * <p>Each iterator can also push its elements, by {@code forEachRemaining}, to a consumer that takes all of them.
 */
final class TaskSteps {
    private TaskSteps() {}

    /**
     * Returns the elements that {@code step} makes of {@code elements}, on demand. {@code function} is the deserialised
     * user function of the step, and {@code kept} caches the elements of persist steps.
     */
    @SuppressWarnings("unchecked") // a step accepts elements of any type
    static Iterator<?> open(
            Step step, TaskAttempt attempt, int partition, CachedSteps kept, Object function, Iterator<?> elements)
            throws Exception {
        return step.accept(new Opening(attempt, partition, kept, function, (Iterator<Object>) elements));
    }

    /**
     * Opens one step of a pipeline for one attempt: wraps {@code elements} in an iterator that applies {@code
     * function}, the deserialised user function of the step.
     */
    @SuppressWarnings("unchecked") // the compiler checked the types in the application, where it defines the step
    private record Opening(
            TaskAttempt attempt, int partition, CachedSteps kept, Object function, Iterator<Object> elements)
            implements Step.Handler<Iterator<?>, Exception> {
        @Override
        public Iterator<?> onMap(Step.Map step) {
            return new Mapped(elements, (MapFunction<Object, Object>) function);
        }

        @Override
        public Iterator<?> onFilter(Step.Filter step) {
            return new Filtered(elements, (FilterFunction<Object>) function);
        }

        @Override
        public Iterator<?> onFlatMap(Step.FlatMap step) {
            return new Flattened(elements, (FlatMapFunction<Object, Object>) function, attempt);
        }

        @Override
        public Iterator<?> onMapPartitions(Step.MapPartitions step) throws Exception {
            return watched(((PartitionFunction<Object, Object>) function).apply(elements), step.label(), attempt);
        }

        @Override
        public Iterator<?> onMapPartitionsWithIndex(Step.MapPartitionsWithIndex step) throws Exception {
            return watched(
                    ((IndexedPartitionFunction<Object, Object>) function).apply(partition, elements),
                    step.label(),
                    attempt);
        }

        @Override
        public Iterator<?> onMapValues(Step.MapValues step) {
            MapFunction<Object, Object> values = (MapFunction<Object, Object>) function;
            return new Mapped(elements, element -> {
                Pair<Object, Object> pair = (Pair<Object, Object>) element;
                return new Pair<>(pair.key(), values.apply(pair.value()));
            });
        }

        @Override
        public Iterator<?> onFlatMapValues(Step.FlatMapValues step) {
            FlatMapFunction<Object, Object> values = (FlatMapFunction<Object, Object>) function;
            return new Flattened(elements, new EachValue(values, step.label()), attempt);
        }

        @Override
        public Iterator<?> onPersist(Step.Persist step) {
            return kept.cache(step, elements);
        }

        @Override
        public Iterator<?> onAggregateByKey(Step.AggregateByKey step) {
            return LocalAggregation.aggregate(attempt, step.aggregation(), function, elements);
        }
    }

    /**
     * Wraps the iterator that a user function returned, so that a kill ends the iteration even if the iterator is
     * infinite.
     */
    static Iterator<?> watched(@Nullable Iterator<?> returned, String label, TaskAttempt attempt) {
        return new Watched(required(returned, label), attempt);
    }

    private static Iterator<?> required(@Nullable Iterator<?> returned, String label) {
        if (returned == null) {
            throw ErrorCode.BAD_ARGUMENT.failure("function of " + label + ": returned null (expected: an iterator);"
                    + " return Collections.emptyIterator() for nothing");
        }
        return returned;
    }

    /**
     * Function of a {@link Step.FlatMapValues} step: applies {@code values} to the value of a pair, and returns a pair
     * with the same key for each result.
     */
    private record EachValue(FlatMapFunction<Object, Object> values, String label)
            implements FlatMapFunction<Object, Object> {
        @Override
        @SuppressWarnings("unchecked") // elements are pairs
        public Iterator<?> apply(Object element) throws Exception {
            Pair<Object, Object> pair = (Pair<Object, Object>) element;
            Iterator<Object> made = (Iterator<Object>) required(values.apply(pair.value()), label);
            return new Mapped(made, value -> new Pair<>(pair.key(), value));
        }
    }

    /**
     * Passes all pairs of {@code pairs} to {@code receiver}, without creating a pair object for each where possible.
     */
    static void send(Iterator<?> pairs, PairConsumer receiver) {
        if (pairs instanceof Mapped mapped) {
            mapped.send(receiver);
        } else {
            pairs.forEachRemaining(element -> {
                Pair<?, ?> pair = (Pair<?, ?>) element;
                receiver.pair(pair.key(), pair.value());
            });
        }
    }

    private static final class Mapped implements Iterator<Object> {
        private final Iterator<Object> source;
        private final MapFunction<Object, Object> function;

        Mapped(Iterator<Object> source, MapFunction<Object, Object> function) {
            this.source = source;
            this.function = function;
        }

        @Override
        public boolean hasNext() {
            return source.hasNext();
        }

        @Override
        public Object next() {
            return apply(source.next());
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            source.forEachRemaining(element -> action.accept(apply(element)));
        }

        /**
         * Passes the remaining pairs to {@code receiver}. Calls the user function at a separate call site, where the
         * JIT compiler sees only pairs, and so can avoid their allocation.
         */
        void send(PairConsumer receiver) {
            source.forEachRemaining(element -> {
                Pair<?, ?> pair = paired(element);
                receiver.pair(pair.key(), pair.value());
            });
        }

        private Pair<?, ?> paired(Object element) {
            try {
                return (Pair<?, ?>) function.apply(element);
            } catch (Exception thrown) {
                throw SneakyThrow.unchecked(thrown);
            }
        }

        private Object apply(Object element) {
            try {
                return function.apply(element);
            } catch (Exception thrown) {
                throw SneakyThrow.unchecked(thrown);
            }
        }
    }

    private static final class Filtered implements Iterator<Object> {
        private final Iterator<Object> source;
        private final FilterFunction<Object> function;
        private @Nullable Object found;
        private boolean has;

        Filtered(Iterator<Object> source, FilterFunction<Object> function) {
            this.source = source;
            this.function = function;
        }

        @Override
        public boolean hasNext() {
            while (!has && source.hasNext()) {
                found = source.next();
                has = test(found);
            }
            return has;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException("filter: no more elements");
            }
            Object element = found;
            has = false;
            found = null;
            return element;
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            if (has) {
                action.accept(next());
            }
            source.forEachRemaining(element -> {
                if (test(element)) {
                    action.accept(element);
                }
            });
        }

        private boolean test(@Nullable Object element) {
            try {
                return function.test(element);
            } catch (Exception thrown) {
                throw SneakyThrow.unchecked(thrown);
            }
        }
    }

    private static final class Flattened implements Iterator<Object> {
        private final Iterator<Object> source;
        private final FlatMapFunction<Object, Object> function;
        private final TaskAttempt attempt;
        private Iterator<?> inner = Collections.emptyIterator();

        Flattened(Iterator<Object> source, FlatMapFunction<Object, Object> function, TaskAttempt attempt) {
            this.source = source;
            this.function = function;
            this.attempt = attempt;
        }

        @Override
        public boolean hasNext() {
            while (!inner.hasNext()) {
                if (!source.hasNext()) {
                    return false;
                }
                inner = apply(source.next());
            }
            return true;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException("flatMap: no more elements");
            }
            attempt.checkKilled();
            return inner.next();
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            pushInner(action);
            source.forEachRemaining(element -> {
                inner = apply(element);
                pushInner(action);
            });
        }

        private void pushInner(Consumer<? super Object> action) {
            while (inner.hasNext()) {
                attempt.checkKilled();
                action.accept(inner.next());
            }
        }

        private Iterator<?> apply(Object element) {
            try {
                return required(function.apply(element), "FLAT_MAP");
            } catch (Exception thrown) {
                throw SneakyThrow.unchecked(thrown);
            }
        }
    }

    /** Wraps an iterator of the user and checks for a kill at each element, because the iterator may be infinite. */
    private static final class Watched implements Iterator<Object> {
        private final Iterator<?> source;
        private final TaskAttempt attempt;

        Watched(Iterator<?> source, TaskAttempt attempt) {
            this.source = source;
            this.attempt = attempt;
        }

        @Override
        public boolean hasNext() {
            return source.hasNext();
        }

        @Override
        public Object next() {
            attempt.checkKilled();
            return source.next();
        }
    }
}
