package dev.hearth.engine.internal.executor;

/**
 * Throws a checked exception of a user function, unchanged, through an iterator, whose methods declare no checked
 * exceptions.
 */
final class SneakyThrow {
    private SneakyThrow() {}

    static RuntimeException unchecked(Throwable thrown) {
        return SneakyThrow.<RuntimeException>raise(thrown);
    }

    // the type parameter is erased at run time, so the cast has no effect
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E raise(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
