package dev.hearth.api;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Iterator that repeats each element of another iterator. A function, called once per element, returns the number of
 * times. Owned by one thread.
 */
final class RepeatedElements<T> implements Iterator<T> {
    private final Iterator<? extends T> elements;
    private final ToLongFunction<? super T> times;
    private @Nullable T current;
    private long left;

    RepeatedElements(Iterator<? extends T> elements, ToLongFunction<? super T> times) {
        this.elements = elements;
        this.times = times;
    }

    @Override
    public boolean hasNext() {
        while (left == 0 && elements.hasNext()) {
            T next = elements.next();
            left = times.applyAsLong(next);
            current = next;
        }
        return left > 0;
    }

    @Override
    @SuppressWarnings("NullAway") // the result is null only for an element that is null
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no more elements");
        }
        left--;
        return current;
    }
}
