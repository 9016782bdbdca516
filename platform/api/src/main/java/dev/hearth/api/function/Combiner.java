package dev.hearth.api.function;

import java.io.Serializable;

/** How the values of a key become one: made of the first, added to, and joined with what other tasks made of theirs. */
public interface Combiner<V, C> extends Serializable {
    C create(V value) throws Exception;

    /** May change and return {@code combined}. */
    C add(C combined, V value) throws Exception;

    /** May change and return {@code left}. */
    C join(C left, C right) throws Exception;

    /** One of three functions. */
    static <V, C> Combiner<V, C> of(
            MapFunction<? super V, ? extends C> create, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return new FunctionCombiner<V, C>(create, add, join);
    }
}
