package dev.hearth.api.function;

/** The order that {@link OrderFunction#reversed} returns. */
record ReversedOrder<T>(OrderFunction<T> order) implements OrderFunction<T> {
    @Override
    public int compare(T left, T right) {
        return order.compare(right, left);
    }

    @Override
    public OrderFunction<T> reversed() {
        return order;
    }
}
