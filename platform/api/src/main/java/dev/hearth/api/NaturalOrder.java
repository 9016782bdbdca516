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
                            + " is not Comparable (expected: a Comparable); pass a Comparator");
        }
        return ((Comparable<Object>) left).compareTo(right);
    }
}
