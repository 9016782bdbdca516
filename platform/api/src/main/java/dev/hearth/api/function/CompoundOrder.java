package dev.hearth.api.function;

import java.util.Comparator;

/** Compares by a first order, and equal elements by a second: the result of {@link OrderFunction#thenComparing}. */
record CompoundOrder<T>(OrderFunction<T> first, Comparator<? super T> next) implements OrderFunction<T> {
    @Override
    public int compare(T left, T right) {
        int found = first.compare(left, right);
        return found == 0 ? next.compare(left, right) : found;
    }
}
