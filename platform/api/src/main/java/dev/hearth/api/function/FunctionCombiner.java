package dev.hearth.api.function;

/** The combiner that {@link Combiner#of} returns. */
record FunctionCombiner<V, C>(
        MapFunction<? super V, ? extends C> creating, AddFunction<C, ? super V> adding, ReduceFunction<C> joining)
        implements Combiner<V, C> {
    @Override
    public C create(V value) throws Exception {
        return creating.apply(value);
    }

    @Override
    public C add(C combined, V value) throws Exception {
        return adding.apply(combined, value);
    }

    @Override
    public C join(C left, C right) throws Exception {
        return joining.apply(left, right);
    }
}
