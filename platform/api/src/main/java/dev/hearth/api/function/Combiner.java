package dev.hearth.api.function;

import java.io.Serializable;

/** How the values of a key become one: made of the first, added to, and joined with what other tasks made of theirs. */
public interface Combiner<V, C> extends Serializable {
    C create(V value) throws Exception;

    /** May change and return {@code combined}. */
    C add(C combined, V value) throws Exception;

    /** May change and return {@code left}. */
    C join(C left, C right) throws Exception;
}
