package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.Iterator;

/** Counts the elements of one partition. */
record CountFunction<T>() implements TaskFunction<T, Long> {
    @Override
    public Long apply(TaskContext task, Iterator<T> elements) {
        long[] count = {0};
        elements.forEachRemaining(element -> count[0]++);
        return count[0];
    }
}
