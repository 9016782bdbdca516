package dev.hearth.api;

import dev.hearth.api.function.FlatMapFunction;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Makes joined values of the values of one key, by dataset. */
final class Outer {
    private Outer() {}

    /** All values here, with those there if there are any. */
    record Left<V, W>() implements FlatMapFunction<List<?>[], Pair<V, Option<W>>> {
        @Override
        public Iterator<Pair<V, Option<W>>> apply(List<?>[] lists) {
            return Groups.<V>at(lists, 0)
                    .flatMap(here -> maybe(Groups.<W>at(lists, 1), lists[1]).map(there -> new Pair<>(here, there)))
                    .iterator();
        }
    }

    /** All values there, with those here if there are any. */
    record Right<V, W>() implements FlatMapFunction<List<?>[], Pair<Option<V>, W>> {
        @Override
        public Iterator<Pair<Option<V>, W>> apply(List<?>[] lists) {
            return maybe(Groups.<V>at(lists, 0), lists[0])
                    .flatMap(here -> Groups.<W>at(lists, 1).map(there -> new Pair<>(here, there)))
                    .iterator();
        }
    }

    /** All values of both. */
    record Full<V, W>() implements FlatMapFunction<List<?>[], Pair<Option<V>, Option<W>>> {
        @Override
        public Iterator<Pair<Option<V>, Option<W>>> apply(List<?>[] lists) {
            return maybe(Groups.<V>at(lists, 0), lists[0])
                    .flatMap(here -> maybe(Groups.<W>at(lists, 1), lists[1]).map(there -> new Pair<>(here, there)))
                    .iterator();
        }
    }

    /** The values here if there are none there. */
    record Without<V>() implements FlatMapFunction<List<?>[], V> {
        @Override
        public Iterator<V> apply(List<?>[] lists) {
            return lists[1].isEmpty() ? Groups.<V>at(lists, 0).iterator() : Collections.emptyIterator();
        }
    }

    private static <T> Stream<Option<T>> maybe(Stream<T> values, List<?> list) {
        return list.isEmpty() ? Stream.of(Option.empty()) : values.map(Option::ofNullable);
    }
}
