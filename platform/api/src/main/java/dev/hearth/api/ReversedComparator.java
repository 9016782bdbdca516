package dev.hearth.api;

import java.io.Serializable;
import java.util.Comparator;

/** Comparator with the reverse order of {@code order}; serialisable if {@code order} is. */
record ReversedComparator<T>(Comparator<? super T> order) implements Comparator<T>, Serializable {
    @Override
    public int compare(T left, T right) {
        return order.compare(right, left);
    }
}
