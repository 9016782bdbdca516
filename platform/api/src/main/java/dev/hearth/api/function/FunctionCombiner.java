package dev.hearth.api.function;

/** Combiner made of three functions: the result of {@link Combiner#of}. */
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
