package dev.hearth.api;

import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.launch.TaskRuntime;

/**
 * Combiner of aggregateByKey and foldByKey: the combined value of each key starts as a copy of {@code zero}, to which
 * {@code adding} adds values.
 */
record ZeroValueCombiner<V, C>(C zero, AddFunction<C, ? super V> adding, ReduceFunction<C> joining)
        implements Combiner<V, C> {
    @Override
    public C create(V value) throws Exception {
        TaskRuntime task = TaskRuntime.current();
        return adding.apply(task == null ? zero : task.copy(zero), value);
    }

    @Override
    public C add(C combined, V value) throws Exception {
        return adding.apply(combined, value);
    }

    @Override
    public C join(C left, C right) throws Exception {
        return joining.apply(left, right);
    }
}
