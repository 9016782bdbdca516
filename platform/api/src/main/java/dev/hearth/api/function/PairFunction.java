package dev.hearth.api.function;

import dev.hearth.api.Pair;
import java.io.Serializable;

/** Turns one element into a key and a value. Runs inside tasks, on executors. */
@FunctionalInterface
public interface PairFunction<T, K, V> extends Serializable {
    Pair<K, V> apply(T element) throws Exception;
}
