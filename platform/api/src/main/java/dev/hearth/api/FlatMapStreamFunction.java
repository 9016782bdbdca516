package dev.hearth.api;

import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.StreamFunction;
import dev.hearth.api.task.TaskContext;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Implements flatMapStream: concatenates the streams that a function returns for the elements. */
record FlatMapStreamFunction<T, R>(StreamFunction<? super T, ? extends R> function) implements PartitionFunction<T, R> {
    @Override
    public Iterator<R> apply(Iterator<T> elements) {
        StreamElements<T, R> streamed = new StreamElements<>(function, elements);
        TaskContext.current().onCompletion(done -> streamed.close()); // needed if the consumer stops early
        return streamed;
    }

    /**
     * Iterator over the concatenated streams of one partition's elements; at most one stream is open. Owned by the
     * task's thread.
     */
    private static final class StreamElements<T, R> implements Iterator<R> {
        private final StreamFunction<? super T, ? extends R> function;
        private final Iterator<T> elements;
        private @Nullable Stream<? extends R> open;
        private Iterator<? extends R> current = Collections.emptyIterator();

        StreamElements(StreamFunction<? super T, ? extends R> function, Iterator<T> elements) {
            this.function = function;
            this.elements = elements;
        }

        @Override
        public boolean hasNext() {
            while (!current.hasNext()) {
                close();
                if (!elements.hasNext()) {
                    return false;
                }
                Stream<? extends R> stream = stream(elements.next());
                open = stream;
                current = stream.iterator();
            }
            return true;
        }

        @Override
        public R next() {
            if (!hasNext()) {
                throw new NoSuchElementException("flatMapStream: no more elements");
            }
            return current.next();
        }

        private Stream<? extends R> stream(T element) {
            try {
                return function.apply(element);
            } catch (RuntimeException thrown) {
                throw thrown;
            } catch (Exception thrown) {
                throw new HearthException("TASK_FAILED", "function given to flatMapStream: threw " + thrown, thrown);
            }
        }

        void close() {
            Stream<? extends R> done = open;
            open = null;
            current = Collections.emptyIterator();
            if (done != null) {
                done.close();
            }
        }
    }
}
