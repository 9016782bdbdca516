package dev.hearth.engine.internal.executor;

/** Throws a checked exception of a user's function through an iterator, which declares none, as the same object. */
final class SneakyThrow {
    private SneakyThrow() {}

    static RuntimeException unchecked(Throwable thrown) {
        return SneakyThrow.<RuntimeException>raise(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // erased at run time
    private static <E extends Throwable> E raise(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
