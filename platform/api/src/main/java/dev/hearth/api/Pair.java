package dev.hearth.api;

import java.io.Serializable;

/** A key and its value. Either may be null if the operation permits it. */
public record Pair<K, V>(K key, V value) implements Serializable {
    public static <K, V> Pair<K, V> of(K key, V value) {
        return new Pair<>(key, value);
    }

    /** Swaps key and value. <pre>{@code Pair<Integer, String> turned = Pair.of("a", 1).swap();}</pre> */
    public Pair<V, K> swap() {
        return new Pair<>(value, key);
    }

    /** The text of key and value in the form of a Scala tuple: {@code (a,1)}. */
    @Override
    public String toString() {
        return "(" + key + "," + value + ")";
    }
}
