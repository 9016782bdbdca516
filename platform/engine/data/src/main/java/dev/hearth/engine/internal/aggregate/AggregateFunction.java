package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import org.jspecify.annotations.Nullable;

/** How the values of one key become one, by a user's function. What that throws passes through as the very same object. */
public abstract sealed class AggregateFunction {
    /** The first value of a key; it comes in as it is where {@link #keepsFirst}. */
    abstract @Nullable Object first(@Nullable Object value);

    abstract @Nullable Object add(@Nullable Object joined, @Nullable Object value);

    /** Joins what two tables have of a key. */
    abstract @Nullable Object join(@Nullable Object left, @Nullable Object right);

    abstract boolean keepsFirst();

    @SuppressWarnings("unchecked") // the compiler checked the types where the shuffle was written
    public static AggregateFunction reducing(Object function) {
        return new Reducing((ReduceFunction<@Nullable Object>) function);
    }

    /** Adds values to what a combiner makes of the first. */
    @SuppressWarnings("unchecked") // as above
    public static AggregateFunction creating(Object combiner) {
        return new Creating((Combiner<@Nullable Object, @Nullable Object>) combiner);
    }

    /** Joins what a combiner made elsewhere. */
    @SuppressWarnings("unchecked") // as above
    public static AggregateFunction joining(Object combiner) {
        return new Reducing(((Combiner<@Nullable Object, @Nullable Object>) combiner)::join);
    }

    private static final class Reducing extends AggregateFunction {
        private final ReduceFunction<@Nullable Object> function;

        Reducing(ReduceFunction<@Nullable Object> function) {
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
                throw AggregateFunction.<RuntimeException>raise(thrown);
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

    private static final class Creating extends AggregateFunction {
        private final Combiner<@Nullable Object, @Nullable Object> combiner;

        Creating(Combiner<@Nullable Object, @Nullable Object> combiner) {
            this.combiner = combiner;
        }

        @Override
        @Nullable
        Object first(@Nullable Object value) {
            try {
                return combiner.create(value);
            } catch (Exception thrown) {
                throw AggregateFunction.<RuntimeException>raise(thrown);
            }
        }

        @Override
        @Nullable
        Object add(@Nullable Object joined, @Nullable Object value) {
            try {
                return combiner.add(joined, value);
            } catch (Exception thrown) {
                throw AggregateFunction.<RuntimeException>raise(thrown);
            }
        }

        @Override
        @Nullable
        Object join(@Nullable Object left, @Nullable Object right) {
            try {
                return combiner.join(left, right);
            } catch (Exception thrown) {
                throw AggregateFunction.<RuntimeException>raise(thrown);
            }
        }

        @Override
        boolean keepsFirst() {
            return false;
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the compiler alone believes the type
    private static <E extends Throwable> RuntimeException raise(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
