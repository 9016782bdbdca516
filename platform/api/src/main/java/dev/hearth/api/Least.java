package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** The least elements of a partition, in no order; so many are held at a time. */
record Least<T>(int count, Comparator<? super T> order) implements TaskFunction<T, List<T>> {
    private static final int ROOM_MAX = 1024; // that is made before it is needed

    @Override
    public List<T> apply(TaskContext task, Iterator<T> elements) {
        return new ArrayList<>(queue(elements));
    }

    private PriorityQueue<T> queue(Iterator<T> elements) {
        PriorityQueue<T> least = new PriorityQueue<>(Math.min(count + 1, ROOM_MAX), new Reversed<T>(order));
        while (elements.hasNext()) {
            T element = elements.next();
            if (least.size() < count) {
                least.add(element);
            } else if (order.compare(element, least.peek()) < 0) {
                least.poll();
                least.add(element);
            }
        }
        return least;
    }

    static <T> List<T> take(RddActions<T> dataset, int count, Comparator<? super T> order) {
        if (count == 0) {
            return List.of();
        }
        List<T> all = new ArrayList<>();
        dataset.evaluate(new Least<T>(count, order)).forEach(all::addAll);
        all.sort(order);
        return new ArrayList<>(all.subList(0, Math.min(count, all.size())));
    }

    static <T> T only(String operation, List<T> found) {
        if (found.isEmpty()) {
            throw Arguments.empty(operation);
        }
        return found.get(0);
    }
}
