package dev.hearth.api.function;

/** See {@link OrderFunction#reversed}. */
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
