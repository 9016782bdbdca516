package dev.hearth.api;

import dev.hearth.api.function.MapFunction;
import java.util.List;
import java.util.stream.Stream;

/** Functions that turn the values of one key, grouped by dataset, into the tuples of cogroup. Stateless. */
final class CoGroupFunctions {
    private CoGroupFunctions() {}

    /** Turns the values of one key, listed for each of two datasets, into a pair of lists. */
    record OfTwo<A, B>() implements MapFunction<List<?>[], Pair<List<A>, List<B>>> {
        @Override
        public Pair<List<A>, List<B>> apply(List<?>[] lists) {
            return new Pair<>(list(lists, 0), list(lists, 1));
        }
    }

    /** Turns the values of one key, listed for each of three datasets, into a triple of lists. */
    record OfThree<A, B, C>() implements MapFunction<List<?>[], Triple<List<A>, List<B>, List<C>>> {
        @Override
        public Triple<List<A>, List<B>, List<C>> apply(List<?>[] lists) {
            return new Triple<>(list(lists, 0), list(lists, 1), list(lists, 2));
        }
    }

    /** Turns the values of one key, listed for each of four datasets, into a quad of lists. */
    record OfFour<A, B, C, D>() implements MapFunction<List<?>[], Quad<List<A>, List<B>, List<C>, List<D>>> {
        @Override
        public Quad<List<A>, List<B>, List<C>, List<D>> apply(List<?>[] lists) {
            return new Quad<>(list(lists, 0), list(lists, 1), list(lists, 2), list(lists, 3));
        }
    }

    @SuppressWarnings("unchecked") // the caller knows the value type of the dataset
    private static <T> List<T> list(List<?>[] lists, int dataset) {
        return (List<T>) lists[dataset];
    }

    static <T> Stream<T> values(List<?>[] lists, int dataset) {
        return CoGroupFunctions.<T>list(lists, dataset).stream();
    }
}
