package dev.hearth.api.accumulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Gathers elements, in no particular order. */
public final class Elements<T> implements Accumulation<T, List<T>> {
    private static final long serialVersionUID = 1L;

    private final ArrayList<T> gathered = new ArrayList<>();

    @Override
    public Elements<T> fresh() {
        return new Elements<>();
    }

    @Override
    public boolean isEmpty() {
        return gathered.isEmpty();
    }

    @Override
    public void add(T element) {
        gathered.add(element);
    }

    @Override
    public void merge(Accumulation<T, List<T>> other) {
        gathered.addAll(((Elements<T>) other).gathered);
    }

    @Override
    public List<T> value() {
        return Collections.unmodifiableList(new ArrayList<>(gathered)); // null may be among them
    }
}
