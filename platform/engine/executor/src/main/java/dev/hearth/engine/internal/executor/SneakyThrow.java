package dev.hearth.engine.internal.executor;

/** Lets what a user's function throws pass through an iterator, which declares nothing, as the very same object. */
final class SneakyThrow {
    private SneakyThrow() {}

    static RuntimeException unchecked(Throwable thrown) {
        return SneakyThrow.<RuntimeException>raise(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the compiler alone believes the type
    private static <E extends Throwable> E raise(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
