package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Finds all values of {@code key} in one partition. */
record LookupFunction<K, V>(K key) implements TaskFunction<Pair<K, V>, List<V>> {
    @Override
    public List<V> apply(TaskContext task, Iterator<Pair<K, V>> pairs) {
        List<V> found = new ArrayList<>();
        pairs.forEachRemaining(pair -> {
            if (Objects.equals(pair.key(), key)) {
                found.add(pair.value());
            }
        });
        return found;
    }

    /**
     * Returns all values of {@code key} in {@code pairs}. If the partitioner is known, only the partition of the key is
     * read.
     */
    static <K, V> List<V> in(PairRdd<K, V> pairs, K key) {
        List<Integer> partitions = pairs.partitioner()
                .map(partitioner -> List.of(partitioner.partition(key)))
                .orElseGet(() -> IntStream.range(0, pairs.partitions()).boxed().toList());
        List<V> found = new ArrayList<>();
        pairs.evaluate(new LookupFunction<K, V>(key), partitions).forEach(found::addAll);
        return found;
    }
}
