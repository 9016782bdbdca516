package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import org.jspecify.annotations.Nullable;

/**
 * The user's function that aggregates the values of a key: a reduce function or a combiner. Rethrows exceptions of the
 * user's code unchanged.
 */
public abstract sealed class AggregateFunction {
    /**
     * Creates the aggregation buffer of a key from {@code value}, the key's first value. The buffer is the value itself
     * if {@link #keepsFirst}.
     */
    abstract @Nullable Object first(@Nullable Object value);

    abstract @Nullable Object add(@Nullable Object joined, @Nullable Object value);

    /**
     * Merges two aggregation buffers of one key, which come from two tables: for example, of two map tasks or of two
     * spills.
     */
    abstract @Nullable Object join(@Nullable Object left, @Nullable Object right);

    abstract boolean keepsFirst();

    @SuppressWarnings("unchecked") // the cast is safe: the compiler checked the types in the user's code
    public static AggregateFunction reducing(Object function) {
        return new OfReduceFunction((ReduceFunction<@Nullable Object>) function);
    }

    /**
     * Returns a function that aggregates values by {@code combiner}: the first value of a key creates its buffer, and
     * later values are added to the buffer.
     */
    @SuppressWarnings("unchecked") // the cast is safe for the same reason as in reducing
    public static AggregateFunction creating(Object combiner) {
        return new OfCombiner((Combiner<@Nullable Object, @Nullable Object>) combiner);
    }

    /**
     * Returns a function that merges aggregation buffers by {@code combiner}. The map-side combine of the shuffle has
     * created these buffers.
     */
    @SuppressWarnings("unchecked") // the cast is safe for the same reason as in reducing
    public static AggregateFunction joining(Object combiner) {
        return new OfReduceFunction(((Combiner<@Nullable Object, @Nullable Object>) combiner)::join);
    }

    private static final class OfReduceFunction extends AggregateFunction {
        private final ReduceFunction<@Nullable Object> function;

        OfReduceFunction(ReduceFunction<@Nullable Object> function) {
            this.function = function;
        }

        @Override
        @Nullable
        Object first(@Nullable Object value) {
            return value;
        }

        @Override
        @Nullable
        Object add(@Nullable Object joined, @Nullable Object value) {
            try {
                return function.apply(joined, value);
            } catch (Exception thrown) {
                throw AggregateFunction.<RuntimeException>sneakyThrow(thrown);
            }
        }

        @Override
        @Nullable
        Object join(@Nullable Object left, @Nullable Object right) {
            return add(left, right);
        }

        @Override
        boolean keepsFirst() {
            return true;
        }
    }

    private static final class OfCombiner extends AggregateFunction {
        private final Combiner<@Nullable Object, @Nullable Object> combiner;

        OfCombiner(Combiner<@Nullable Object, @Nullable Object> combiner) {
            this.combiner = combiner;
        }

        @Override
        @Nullable
        Object first(@Nullable Object value) {
            try {
                return combiner.create(value);
            } catch (Exception thrown) {
                throw AggregateFunction.<RuntimeException>sneakyThrow(thrown);
            }
        }

        @Override
        @Nullable
        Object add(@Nullable Object joined, @Nullable Object value) {
            try {
                return combiner.add(joined, value);
            } catch (Exception thrown) {
                throw AggregateFunction.<RuntimeException>sneakyThrow(thrown);
            }
        }

        @Override
        @Nullable
        Object join(@Nullable Object left, @Nullable Object right) {
            try {
                return combiner.join(left, right);
            } catch (Exception thrown) {
                throw AggregateFunction.<RuntimeException>sneakyThrow(thrown);
            }
        }

        @Override
        boolean keepsFirst() {
            return false;
        }
    }

    // the unchecked cast never fails, because generics are erased: it only hides a checked exception from the compiler
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneakyThrow(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
