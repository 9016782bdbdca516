package dev.hearth.api;

import dev.hearth.api.function.ZipFunction;
import java.util.Iterator;

/** Implements zip: pairs the elements at the same position of two partitions, which must have equally many elements. */
record ElementZipFunction<T, U>() implements ZipFunction<T, U, Pair<T, U>> {
    @Override
    public Iterator<Pair<T, U>> apply(Iterator<T> left, Iterator<U> right) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                boolean more = left.hasNext();
                if (more != right.hasNext()) {
                    throw new HearthException(
                                    "BAD_ARGUMENT",
                                    "zip: a partition of the " + (more ? "first" : "second")
                                            + " dataset has more elements than the same partition of the other"
                                            + " dataset (expected: the same number of elements in both); to combine"
                                            + " such datasets, give"
                                            + " them keys and use join")
                            .permanent();
                }
                return more;
            }

            @Override
            public Pair<T, U> next() {
                return new Pair<>(left.next(), right.next());
            }
        };
    }
}
