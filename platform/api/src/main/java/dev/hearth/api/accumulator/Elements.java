package dev.hearth.api.accumulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Accumulation whose value is the list of all added elements, in no particular order. */
public final class Elements<T> implements Accumulation<T, List<T>> {
    private static final long serialVersionUID = 1L;

    private final ArrayList<T> elements = new ArrayList<>();

    @Override
    public Elements<T> fresh() {
        return new Elements<>();
    }

    @Override
    public boolean isEmpty() {
        return elements.isEmpty();
    }

    @Override
    public void add(T element) {
        elements.add(element);
    }

    @Override
    public void merge(Accumulation<T, List<T>> other) {
        elements.addAll(((Elements<T>) other).elements);
    }

    @Override
    public List<T> value() {
        return Collections.unmodifiableList(new ArrayList<>(elements)); // List.copyOf refuses null
    }
}
