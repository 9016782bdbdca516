package dev.hearth.api.function;

import java.io.Serializable;

/**
 * Combines the values of a key. A task creates the combined value from the first value and adds further values;
 * combined values of several tasks are merged.
 */
public interface Combiner<V, C> extends Serializable {
    C create(V value) throws Exception;

    /** Adds {@code value} to the combined value {@code combined} of its key; may modify and return {@code combined}. */
    C add(C combined, V value) throws Exception;

    /** Merges two combined values of the same key; may modify and return {@code left}. */
    C join(C left, C right) throws Exception;

    /** A combiner whose methods {@code create}, {@code add} and {@code join} call the functions of these names. */
    static <V, C> Combiner<V, C> of(
            MapFunction<? super V, ? extends C> create, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return new FunctionCombiner<V, C>(create, add, join);
    }
}
