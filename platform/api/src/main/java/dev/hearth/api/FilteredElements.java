package dev.hearth.api;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Those elements of another iterator that pass, each looked at once. Owned by one thread. */
final class FilteredElements<T> implements Iterator<T> {
    private final Iterator<? extends T> elements;
    private final Predicate<? super T> passes;
    private @Nullable T found;
    private boolean has;

    FilteredElements(Iterator<? extends T> elements, Predicate<? super T> passes) {
        this.elements = elements;
        this.passes = passes;
    }

    @Override
    public boolean hasNext() {
        while (!has && elements.hasNext()) {
            T next = elements.next();
            if (passes.test(next)) {
                found = next;
                has = true;
            }
        }
        return has;
    }

    @Override
    @SuppressWarnings("NullAway") // null only where the elements have it
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no more elements");
        }
        T next = found;
        found = null;
        has = false;
        return next;
    }
}
