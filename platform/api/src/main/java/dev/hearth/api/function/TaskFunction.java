package dev.hearth.api.function;

import dev.hearth.api.task.TaskContext;
import java.io.Serializable;
import java.util.Iterator;

/**
 * Computes the result of a task from the elements of the task's partition; each action runs such a function in its
 * tasks. Runs on executors.
 */
@FunctionalInterface
public interface TaskFunction<T, R> extends Serializable {
    R apply(TaskContext task, Iterator<T> elements) throws Exception;
}
