package dev.hearth.api;

import dev.hearth.api.function.FlatMapFunction;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Functions that turn the values of one key, grouped by dataset, into the results of outer joins and subtractByKey.
 * Stateless.
 */
final class OuterJoinFunctions {
    private OuterJoinFunctions() {}

    /** Turns the values of one key from both datasets into the value pairs of a left outer join. */
    record Left<V, W>() implements FlatMapFunction<List<?>[], Pair<V, Option<W>>> {
        @Override
        public Iterator<Pair<V, Option<W>>> apply(List<?>[] lists) {
            return CoGroupFunctions.<V>values(lists, 0)
                    .flatMap(left -> optional(CoGroupFunctions.<W>values(lists, 1), lists[1])
                            .map(right -> new Pair<>(left, right)))
                    .iterator();
        }
    }

    /** Turns the values of one key from both datasets into the value pairs of a right outer join. */
    record Right<V, W>() implements FlatMapFunction<List<?>[], Pair<Option<V>, W>> {
        @Override
        public Iterator<Pair<Option<V>, W>> apply(List<?>[] lists) {
            return optional(CoGroupFunctions.<V>values(lists, 0), lists[0])
                    .flatMap(left -> CoGroupFunctions.<W>values(lists, 1).map(right -> new Pair<>(left, right)))
                    .iterator();
        }
    }

    /** Turns the values of one key from both datasets into the value pairs of a full outer join. */
    record Full<V, W>() implements FlatMapFunction<List<?>[], Pair<Option<V>, Option<W>>> {
        @Override
        public Iterator<Pair<Option<V>, Option<W>>> apply(List<?>[] lists) {
            return optional(CoGroupFunctions.<V>values(lists, 0), lists[0])
                    .flatMap(left -> optional(CoGroupFunctions.<W>values(lists, 1), lists[1])
                            .map(right -> new Pair<>(left, right)))
                    .iterator();
        }
    }

    /**
     * Turns the values of one key from both datasets into those of subtractByKey: the left values, or none if there are
     * right values.
     */
    record Without<V>() implements FlatMapFunction<List<?>[], V> {
        @Override
        public Iterator<V> apply(List<?>[] lists) {
            return lists[1].isEmpty() ? CoGroupFunctions.<V>values(lists, 0).iterator() : Collections.emptyIterator();
        }
    }

    private static <T> Stream<Option<T>> optional(Stream<T> values, List<?> list) {
        return list.isEmpty() ? Stream.of(Option.empty()) : values.map(Option::ofNullable);
    }
}
