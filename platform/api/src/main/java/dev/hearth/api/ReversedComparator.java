package dev.hearth.api;

import java.io.Serializable;
import java.util.Comparator;

/** The reverse of a comparator; serialisable if that comparator is. */
record ReversedComparator<T>(Comparator<? super T> order) implements Comparator<T>, Serializable {
    @Override
    public int compare(T left, T right) {
        return order.compare(right, left);
    }
}
