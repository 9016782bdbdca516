package dev.hearth.api;

import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Function;

/** Iterator that applies a function to the elements of another iterator. Owned by one thread. */
record MappedElements<T, R>(Iterator<T> elements, Function<T, R> function) implements Iterator<R> {
    @Override
    public boolean hasNext() {
        return elements.hasNext();
    }

    @Override
    public R next() {
        return function.apply(elements.next());
    }

    @Override
    public void forEachRemaining(Consumer<? super R> action) {
        elements.forEachRemaining(element -> action.accept(function.apply(element)));
    }
}
