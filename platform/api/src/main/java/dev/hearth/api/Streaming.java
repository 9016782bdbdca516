package dev.hearth.api;

import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.StreamFunction;
import dev.hearth.api.task.TaskContext;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All that streams made of elements have, one stream after the other. */
record Streaming<T, R>(StreamFunction<? super T, ? extends R> function) implements PartitionFunction<T, R> {
    @Override
    public Iterator<R> apply(Iterator<T> elements) {
        Streamed<T, R> streamed = new Streamed<>(function, elements);
        TaskContext.current().onCompletion(done -> streamed.close()); // where the rest is not wanted
        return streamed;
    }

    /** What one partition becomes; at most one stream is open. Owned by the task's thread. */
    private static final class Streamed<T, R> implements Iterator<R> {
        private final StreamFunction<? super T, ? extends R> function;
        private final Iterator<T> elements;
        private @Nullable Stream<? extends R> open;
        private Iterator<? extends R> current = Collections.emptyIterator();

        Streamed(StreamFunction<? super T, ? extends R> function, Iterator<T> elements) {
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
                Stream<? extends R> made = made(elements.next());
                open = made;
                current = made.iterator();
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

        private Stream<? extends R> made(T element) {
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
