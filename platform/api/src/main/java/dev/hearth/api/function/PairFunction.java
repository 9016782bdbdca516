package dev.hearth.api.function;

import dev.hearth.api.Pair;

/** Turns one element into a key and a value. Runs inside tasks, on executors. */
@FunctionalInterface
public interface PairFunction<T, K, V> extends MapFunction<T, Pair<K, V>> {}
