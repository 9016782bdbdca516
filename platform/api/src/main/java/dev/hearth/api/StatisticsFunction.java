package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.Iterator;

/** Computes the {@link Statistics} of the numbers of one partition. */
record StatisticsFunction() implements TaskFunction<Double, Statistics> {
    @Override
    public Statistics apply(TaskContext task, Iterator<Double> elements) {
        return Statistics.of(elements);
    }
}
