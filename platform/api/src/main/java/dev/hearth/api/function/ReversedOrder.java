package dev.hearth.api.function;

/** Reverse of another order: the result of {@link OrderFunction#reversed}. */
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
