package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import org.jspecify.annotations.Nullable;

/**
 * The user's function that aggregates the values of a key: a reduce function or a combiner. Rethrows exceptions of the
 * user's code unchanged.
 */
public abstract sealed class AggregateFunction {
    /** The buffer for the first value of a key: the value itself if {@link #keepsFirst}. */
    abstract @Nullable Object first(@Nullable Object value);

    abstract @Nullable Object add(@Nullable Object joined, @Nullable Object value);

    /** Merges the buffers of one key from two tables. */
    abstract @Nullable Object join(@Nullable Object left, @Nullable Object right);

    abstract boolean keepsFirst();

    @SuppressWarnings("unchecked") // the compiler checked the types where the shuffle was written
    public static AggregateFunction reducing(Object function) {
        return new OfReduceFunction((ReduceFunction<@Nullable Object>) function);
    }

    /** A function that creates a key's buffer from the first value and adds the later values to the buffer. */
    @SuppressWarnings("unchecked") // as above
    public static AggregateFunction creating(Object combiner) {
        return new OfCombiner((Combiner<@Nullable Object, @Nullable Object>) combiner);
    }

    /** A function that merges buffers which a map-side combine has created. */
    @SuppressWarnings("unchecked") // as above
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

    // unchecked cast: E is RuntimeException only to the compiler
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneakyThrow(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
