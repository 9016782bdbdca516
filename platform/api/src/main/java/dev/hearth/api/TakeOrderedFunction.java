package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Finds the {@code count} smallest elements of a partition, in no particular order; holds {@code count} elements in
 * memory.
 */
record TakeOrderedFunction<T>(int count, Comparator<? super T> order) implements TaskFunction<T, List<T>> {
    private static final int INITIAL_CAPACITY_MAX = 1024; // initial capacity of the priority queue

    @Override
    public List<T> apply(TaskContext task, Iterator<T> elements) {
        List<T> least = new ArrayList<>();
        queue(elements).forEach(cell -> least.add(cell.element()));
        return least;
    }

    private PriorityQueue<NullableHolder<T>> queue(Iterator<T> elements) {
        PriorityQueue<NullableHolder<T>> least = new PriorityQueue<>(
                Math.min(count, INITIAL_CAPACITY_MAX), (left, right) -> order.compare(right.element(), left.element()));
        while (elements.hasNext()) {
            T element = elements.next();
            if (least.size() < count) {
                least.add(new NullableHolder<>(element));
            } else if (order.compare(element, least.element().element()) < 0) {
                least.remove();
                least.add(new NullableHolder<>(element));
            }
        }
        return least;
    }

    static <T> List<T> take(RddActions<T> dataset, int count, Comparator<? super T> order) {
        if (count == 0) {
            return List.of();
        }
        List<T> all = new ArrayList<>();
        dataset.evaluate(new TakeOrderedFunction<T>(count, order)).forEach(all::addAll);
        all.sort(order);
        return new ArrayList<>(all.subList(0, Math.min(count, all.size())));
    }

    static <T> T first(String operation, List<T> found) {
        if (found.isEmpty()) {
            throw ArgumentChecks.empty(operation);
        }
        return found.get(0);
    }
}
