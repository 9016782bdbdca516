package dev.hearth.api.function;

import dev.hearth.api.task.TaskContext;
import java.io.Serializable;
import java.util.Iterator;

/** Makes the result of one task of its partition's elements; what every action comes down to. Runs on executors. */
@FunctionalInterface
public interface TaskFunction<T, R> extends Serializable {
    R apply(TaskContext task, Iterator<T> elements) throws Exception;
}
