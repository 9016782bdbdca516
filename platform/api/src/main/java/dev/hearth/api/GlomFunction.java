package dev.hearth.api;

import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Collects the elements of a partition into one list, which is the only element of the new partition. */
record GlomFunction<T>() implements PartitionFunction<T, List<T>> {
    @Override
    public Iterator<List<T>> apply(Iterator<T> elements) {
        return List.of(list(elements)).iterator();
    }

    static <T> List<T> list(Iterator<T> elements) {
        List<T> list = new ArrayList<>();
        elements.forEachRemaining(list::add);
        return list;
    }

    /** Collects the elements of a partition into one list that is the result of the task, for actions. */
    record OfTask<T>() implements TaskFunction<T, List<T>> {
        @Override
        public List<T> apply(TaskContext task, Iterator<T> elements) {
            return list(elements);
        }
    }
}
