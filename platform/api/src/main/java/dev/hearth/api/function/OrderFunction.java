package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Comparator;

/**
 * A comparator that is serialisable, so that a lambda given as an order can be sent to executors. {@link #comparing}
 * sorts null keys first.
 * <pre>{@code List<String> shortest = lines.takeOrdered(3, OrderFunction.comparing(String::length));}</pre>
 */
@FunctionalInterface
public interface OrderFunction<T> extends Comparator<T>, Serializable {
    /**
     * Compares elements by a key.
     * <pre>{@code OrderFunction<String> byLength = OrderFunction.comparing(String::length);}</pre>
     */
    static <T, U extends Comparable<? super U>> OrderFunction<T> comparing(MapFunction<? super T, ? extends U> key) {
        return new KeyOrder<T, U>(key);
    }

    /**
     * The reverse of this order.
     * <pre>{@code OrderFunction<String> longest = OrderFunction.<String, Integer>comparing(String::length).reversed();}</pre>
     */
    @Override
    default OrderFunction<T> reversed() {
        return new ReversedOrder<T>(this);
    }

    /**
     * This order, extended: {@code other} compares elements that are equal in this order.
     * <pre>{@code OrderFunction.<String, Integer>comparing(String::length).thenComparing((left, right) -> left.compareTo(right));}</pre>
     */
    default OrderFunction<T> thenComparing(OrderFunction<? super T> other) {
        return new CompoundOrder<T>(this, other);
    }

    /**
     * As {@link #thenComparing(OrderFunction)}, with a sort key.
     * <pre>{@code OrderFunction.<String, Integer>comparing(String::length).thenComparing(line -> line.toLowerCase());}</pre>
     */
    default <U extends Comparable<? super U>> OrderFunction<T> thenComparing(KeyFunction<? super T, ? extends U> key) {
        return new CompoundOrder<T>(this, new KeyOrder<T, U>(key::apply));
    }

    /**
     * As {@link #thenComparing(OrderFunction)}, with a comparator, which must be {@link Serializable}.
     * <pre>{@code OrderFunction.<String, Integer>comparing(String::length).thenComparing(Comparator.naturalOrder());}</pre>
     */
    @Override
    default OrderFunction<T> thenComparing(Comparator<? super T> other) {
        return new CompoundOrder<T>(this, other);
    }
}
