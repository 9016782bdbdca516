package dev.hearth.api;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over those elements of another iterator that match a predicate. The predicate is called once per element.
 * Owned by one thread.
 */
final class FilteredElements<T> implements Iterator<T> {
    private final Iterator<? extends T> elements;
    private final Predicate<? super T> predicate;
    private @Nullable T found;
    private boolean hasFound;

    FilteredElements(Iterator<? extends T> elements, Predicate<? super T> predicate) {
        this.elements = elements;
        this.predicate = predicate;
    }

    @Override
    public boolean hasNext() {
        while (!hasFound && elements.hasNext()) {
            T next = elements.next();
            if (predicate.test(next)) {
                found = next;
                hasFound = true;
            }
        }
        return hasFound;
    }

    @Override
    @SuppressWarnings("NullAway") // the result is null only for an element that is null
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no more elements");
        }
        T next = found;
        found = null;
        hasFound = false;
        return next;
    }
}
