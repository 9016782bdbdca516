package dev.hearth.api;

import java.io.Serializable;

/** A key and its value. Either may be null where the operation says so. */
public record Pair<K, V>(K key, V value) implements Serializable {
    public static <K, V> Pair<K, V> of(K key, V value) {
        return new Pair<>(key, value);
    }

    /** The value as the key and the key as the value. <pre>{@code Pair<Integer, String> turned = Pair.of("a", 1).swap();}</pre> */
    public Pair<V, K> swap() {
        return new Pair<>(value, key);
    }

    /** Key and value in brackets, as scala's tuples: {@code (a,1)}. */
    @Override
    public String toString() {
        return "(" + key + "," + value + ")";
    }
}
