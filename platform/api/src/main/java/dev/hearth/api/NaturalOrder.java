package dev.hearth.api;

import java.io.Serializable;
import java.util.Comparator;

/** Natural order, in which null is smaller than all other elements. */
record NaturalOrder<T>() implements Comparator<T>, Serializable {
    @Override
    @SuppressWarnings("unchecked") // compareTo throws for elements of other classes
    public int compare(T left, T right) {
        if (left == null || right == null) {
            return left == right ? 0 : left == null ? -1 : 1;
        }
        if (!(left instanceof Comparable<?>)) {
            throw new HearthException(
                    "BAD_ARGUMENT",
                    "order of elements: " + left.getClass().getName()
                            + " has none of its own (expected: a Comparable); give a comparator");
        }
        return ((Comparable<Object>) left).compareTo(right);
    }
}
