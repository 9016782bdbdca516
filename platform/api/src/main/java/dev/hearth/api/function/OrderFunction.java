package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Comparator;

/**
 * An order that travels: what a lambda is where an operation asks for one. Below null stands before every other key.
 * <pre>{@code List<String> shortest = lines.takeOrdered(3, OrderFunction.comparing(String::length));}</pre>
 */
@FunctionalInterface
public interface OrderFunction<T> extends Comparator<T>, Serializable {
    /** By a key of each element. <pre>{@code OrderFunction<String> byLength = OrderFunction.comparing(String::length);}</pre> */
    static <T, U extends Comparable<? super U>> OrderFunction<T> comparing(MapFunction<? super T, ? extends U> key) {
        return new KeyOrder<T, U>(key);
    }

    /** The other way round. <pre>{@code OrderFunction<String> longest = OrderFunction.<String, Integer>comparing(String::length).reversed();}</pre> */
    @Override
    default OrderFunction<T> reversed() {
        return new ReversedOrder<T>(this);
    }

    /** Where this finds no difference as the other has it. <pre>{@code OrderFunction.<String, Integer>comparing(String::length).thenComparing((left, right) -> left.compareTo(right));}</pre> */
    default OrderFunction<T> thenComparing(OrderFunction<? super T> other) {
        return new NextOrder<T>(this, other);
    }

    /** As the other, by a key. <pre>{@code OrderFunction.<String, Integer>comparing(String::length).thenComparing(line -> line.toLowerCase());}</pre> */
    default <U extends Comparable<? super U>> OrderFunction<T> thenComparing(KeyFunction<? super T, ? extends U> key) {
        return new NextOrder<T>(this, new KeyOrder<T, U>(key::apply));
    }

    /** As the other, of an order that must be {@link Serializable}. <pre>{@code OrderFunction.<String, Integer>comparing(String::length).thenComparing(Comparator.naturalOrder());}</pre> */
    @Override
    default OrderFunction<T> thenComparing(Comparator<? super T> other) {
        return new NextOrder<T>(this, other);
    }
}
