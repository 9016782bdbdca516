package dev.hearth.api;

import dev.hearth.api.function.MapFunction;
import java.util.List;
import java.util.stream.Stream;

/** Makes records of the values of one key, by dataset. */
final class Groups {
    private Groups() {}

    /** Of two datasets. */
    record OfTwo<A, B>() implements MapFunction<List<?>[], Pair<List<A>, List<B>>> {
        @Override
        public Pair<List<A>, List<B>> apply(List<?>[] lists) {
            return new Pair<>(list(lists, 0), list(lists, 1));
        }
    }

    /** Of three. */
    record OfThree<A, B, C>() implements MapFunction<List<?>[], Triple<List<A>, List<B>, List<C>>> {
        @Override
        public Triple<List<A>, List<B>, List<C>> apply(List<?>[] lists) {
            return new Triple<>(list(lists, 0), list(lists, 1), list(lists, 2));
        }
    }

    /** Of four. */
    record OfFour<A, B, C, D>() implements MapFunction<List<?>[], Quad<List<A>, List<B>, List<C>, List<D>>> {
        @Override
        public Quad<List<A>, List<B>, List<C>, List<D>> apply(List<?>[] lists) {
            return new Quad<>(list(lists, 0), list(lists, 1), list(lists, 2), list(lists, 3));
        }
    }

    @SuppressWarnings("unchecked") // the dataset at that place has such values
    private static <T> List<T> list(List<?>[] lists, int place) {
        return (List<T>) lists[place];
    }

    static <T> Stream<T> at(List<?>[] lists, int place) {
        return Groups.<T>list(lists, place).stream();
    }
}
